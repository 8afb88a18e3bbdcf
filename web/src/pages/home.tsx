/** The address without a path: the overview for people who are signed in, the start page for everyone else. */
import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../account/me";
import { Waiting } from "../ui/notice";
import { OverviewPage } from "./overview";
import { StartPage } from "./start";

export function HomePage() {
  const { data: me, isPending } = useQuery(meQuery);
  if (isPending) return <Waiting />;
  return me ? <OverviewPage /> : <StartPage />;
}

/** The address without a path: the dashboard for people who are signed in, the start page for everyone else. */
import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../account/me";
import { Waiting } from "../ui/notice";
import { OverviewScreen } from "../overview/overview-screen";
import { LandingScreen } from "../landing/landing";

export function HomeScreen() {
  const { data: me, isPending } = useQuery(meQuery);
  if (isPending) return <Waiting />;
  return me ? <OverviewScreen /> : <LandingScreen />;
}

/** The address without a path: the dashboard for people who are signed in, the start page for everyone else. */
import { useQuery } from "@tanstack/react-query";
import { lazy } from "react";
import { meQuery } from "../account/me";
import { Waiting } from "../ui/notice";
import { StartPage } from "./start";

export const loadDashboard = () => import("./dashboard");
const DashboardPage = lazy(loadDashboard);

export function HomePage() {
  const { data: me, isPending } = useQuery(meQuery);
  if (isPending) return <Waiting />;
  return me ? <DashboardPage /> : <StartPage />;
}

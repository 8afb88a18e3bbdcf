/** The place of the map in a session: opened and closed, and what stands there until there is one. */
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "../i18n/translation";
import type { Detail, Progress } from "../session/api";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { recall, remember } from "../ui/local-storage";
import { Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import { mapQuery } from "./api";
import styles from "./panel.module.css";

const MindmapView = lazy(() => import("./mindmap"));
const REMEMBERED = "mindhit.map"; // "closed", or nothing

/** Whether the map is open; kept in this browser. */
export function useMapOpen(): readonly [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(() => recall(REMEMBERED) !== "closed");
  return [
    isOpen,
    (wanted) => {
      remember(REMEMBERED, wanted ? "open" : "closed");
      setOpen(wanted);
    },
  ];
}

interface Props {
  readonly detail: Detail;
  readonly progress: Progress | null;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  readonly pointed: string | null;
  readonly point: (visits: readonly string[] | null) => void;
}

export function MapPanel({ detail, progress, isOpen, setOpen, pointed, point }: Props) {
  const { t } = useTranslation();
  return (
    <section className={classes(layout["panel"], styles["panel"])} aria-labelledby="map-title">
      <div className={styles["head"]}>
        <h2 id="map-title">{t("mindmap.title")}</h2>
        <Button
          look="quiet"
          aria-expanded={isOpen}
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          {isOpen ? t("mindmap.hide") : t("mindmap.show")}
        </Button>
      </div>
      {isOpen && <Content detail={detail} progress={progress} pointed={pointed} point={point} />}
    </section>
  );
}

function Content({ detail, progress, pointed, point }: Omit<Props, "isOpen" | "setOpen">) {
  const { t } = useTranslation();
  const status = (progress ?? detail.session).status;
  const { data: map, error, refetch } = useQuery(mapQuery(detail.session.id));
  // It is made by the time that the session is done, or made again.
  useEffect(() => {
    if (status === "completed") void refetch();
  }, [status, refetch]);
  if (map)
    return (
      <Suspense fallback={<Waiting />}>
        <MindmapView map={map} visits={detail.page_visits} pointed={pointed} point={point} />
      </Suspense>
    );
  if (error) return <Trouble error={error} retry={refetch} />;
  if (map === undefined) return <Waiting />;
  return <p className={layout["soft"]}>{t(`mindmap.none.${status}`)}</p>;
}

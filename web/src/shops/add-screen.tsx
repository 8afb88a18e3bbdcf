/** A page to be watched: its address, how often, and what to be told of. */
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { navigate, useLocation } from "../app/router";
import { classes } from "../ui/classes";
import layout from "../ui/styles/layout.module.css";
import { addSchedule, shopsKey } from "./api";
import { DetailFrame } from "./frame";
import { ScheduleForm } from "./schedule-form";

export default function AddScreen() {
  const { t } = useTranslation();
  const { search } = useLocation();
  const queries = useQueryClient();
  return (
    <DetailFrame title={t("shops.add.title")} back={{ to: "/shops", label: t("shops.back.schedules") }}>
      <p className={layout["soft"]}>{t("shops.add.text")}</p>
      <section className={classes(layout["panel"], layout["stack"])}>
        <ScheduleForm
          address={search.get("url") ?? ""}
          name={search.get("name") ?? ""}
          submit={t("shops.add.submit")}
          send={({ url, name, cron, timezone, alerts }) =>
            addSchedule({ url, cron, timezone, alerts, name: name === "" ? null : name })
          }
          done={({ id }) => {
            void queries.invalidateQueries({ queryKey: shopsKey });
            navigate(`/shops/schedules/${id}`, { replace: true });
          }}
        />
      </section>
    </DetailFrame>
  );
}

/** In the settings: the last hour, or a day. */
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { useDayName } from "../ui/time/dates";
import layout from "../ui/styles/layout.module.css";
import type { What } from "./api";
import { ForgetDialog } from "./forget-dialog";
import styles from "./forget.module.css";

export function ForgetSection() {
  const { t } = useTranslation();
  const dayName = useDayName();
  const [day, setDay] = useState("");
  const [asked, ask] = useState<What | null>(null);
  const [isDone, setDone] = useState(false);
  const open = (what: What) => {
    setDone(false);
    ask(what);
  };
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="forget-title">
      <h2 id="forget-title">{t("forget.section.title")}</h2>
      <p className={layout["soft"]}>{t("forget.section.text")}</p>
      <div className={layout["button-row"]}>
        <Button
          onClick={() => {
            open({ last: "1h" });
          }}
        >
          {t("forget.section.last")}
        </Button>
      </div>
      <div className={styles["day"]}>
        <label>
          {t("forget.section.day")}
          <input
            type="date"
            value={day}
            onChange={(event) => {
              setDay(event.currentTarget.value);
            }}
          />
        </label>
        <Button
          isDisabled={day === ""}
          onClick={() => {
            open({ day });
          }}
        >
          {t("forget.section.forgetDay")}
        </Button>
      </div>
      <p className={layout["success"]} role="status">
        {isDone ? t("forget.done") : null}
      </p>
      {asked !== null && (
        <ForgetDialog
          title={
            "day" in asked ? t("forget.titles.day", { name: dayName(asked.day) }) : t("forget.titles.last")
          }
          what={asked}
          close={() => {
            ask(null);
          }}
          done={() => {
            setDone(true);
          }}
        />
      )}
    </section>
  );
}

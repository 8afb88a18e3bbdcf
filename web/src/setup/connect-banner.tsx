/** On the overview until an extension is connected: what is shown there was recorded elsewhere, or is made up. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { devicesQuery } from "../account/me";
import { Link } from "../app/router";
import { buttonClass } from "../ui/button";
import { classes } from "../ui/classes";
import layout from "../ui/styles/layout.module.css";
import styles from "./connect-banner.module.css";

export function ConnectBanner() {
  const { t } = useTranslation();
  const { data } = useQuery(devicesQuery);
  if (!data || data.items.some((device) => device.kind === "extension")) return null;
  return (
    <section className={classes(layout["panel"], styles["banner"])} aria-labelledby="banner-title">
      <div className={styles["words"]}>
        <h2 id="banner-title">{t("setup.banner.title")}</h2>
        <p className={layout["soft"]}>{t("setup.banner.text")}</p>
      </div>
      <Link className={buttonClass("main")} to="/first-steps">
        {t("setup.banner.connect")}
      </Link>
    </section>
  );
}

/** From the owner link to the first recording, each step noticed as it happens. */
import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { useArrival } from "../app/screen";
import { FirstSteps } from "./first-steps";
import styles from "./first-steps.module.css";

export default function FirstStepsScreen() {
  const { t } = useTranslation();
  const heading = useArrival(t("setup.title"));
  return (
    <div className={styles["first-steps"]}>
      <h1 ref={heading} tabIndex={-1}>
        {t("setup.title")}
      </h1>
      <FirstSteps />
      <p>
        <Link to="/">{t("setup.skip")}</Link>
      </p>
    </div>
  );
}

/** From the owner link to the first recording, each step noticed as it happens. */
import { useTranslation } from "react-i18next";
import { Link } from "../../router";
import { useArrival } from "../../ui/screen";
import { FirstSteps } from "./steps";

export default function FirstStepsPage() {
  const { t } = useTranslation();
  const heading = useArrival(t("firstSteps.title"));
  return (
    <div className="first-steps">
      <h1 ref={heading} tabIndex={-1}>
        {t("firstSteps.title")}
      </h1>
      <FirstSteps />
      <p>
        <Link to="/">{t("firstSteps.skip")}</Link>
      </p>
    </div>
  );
}

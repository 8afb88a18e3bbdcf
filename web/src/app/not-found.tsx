import { useTranslation } from "../i18n/translation";
import { Link } from "./router";
import { NarrowScreen } from "./screen";
import { buttonClass } from "../ui/button";

export function NotFoundScreen() {
  const { t } = useTranslation();
  return (
    <NarrowScreen title={t("app.notFound.title")} lead={t("app.notFound.text")}>
      <p>
        <Link className={buttonClass("plain")} to="/">
          {t("app.notFound.home")}
        </Link>
      </p>
    </NarrowScreen>
  );
}

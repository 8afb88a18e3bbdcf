import { useTranslation } from "react-i18next";
import { Link } from "../router";
import { NarrowScreen } from "../ui/screen";

export function LostPage() {
  const { t } = useTranslation();
  return (
    <NarrowScreen title={t("lost.title")} lead={t("lost.text")}>
      <p>
        <Link className="button plain" to="/">
          {t("lost.home")}
        </Link>
      </p>
    </NarrowScreen>
  );
}

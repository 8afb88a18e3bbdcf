import { useTranslation } from "../i18n/translation";
import { Notice } from "../ui/notice";

/** A new server: its first person comes in by a link that only who runs it can read. */
export function NoOwner() {
  const { t } = useTranslation();
  return (
    <Notice>
      <h2>{t("account.noOwner.title")}</h2>
      <p>{t("account.noOwner.text")}</p>
    </Notice>
  );
}

import { useTranslation } from "../i18n/translation";
import layout from "../ui/styles/layout.module.css";
import styles from "./reminders.module.css";

/** A page by its title. Only addresses of the web are links. */
export function PageLink(props: {
  readonly url: string | null;
  readonly title: string;
  readonly onOpen?: () => void;
}) {
  const { t } = useTranslation();
  const { url, title, onOpen } = props;
  if (url === null || !/^https?:\/\//i.test(url)) return <bdi>{title}</bdi>;
  return (
    <a className={styles["link"]} href={url} target="_blank" rel="noopener noreferrer" onClick={onOpen}>
      <bdi>{title}</bdi>
      <span className={layout["sr-only"]}> {t("reminders.inbox.newTab")}</span>
    </a>
  );
}

/** Its site, as people know it. */
export function domainOf(url: string): string {
  try {
    return new URL(url).hostname.replace(/^www\./, "");
  } catch {
    return url;
  }
}

import { useQuery } from "@tanstack/react-query";
import type { Me } from "../account/api";
import { useTranslation } from "../i18n/translation";
import { Link, useLocation } from "../app/router";
import { Icon } from "../ui/icons";
import { unreadQuery } from "./api";
import styles from "./inbox-link.module.css";
import { useRenewedPush } from "./use-renewed-push";

const MOST_SHOWN = 99;

/** The way to the inbox in the header, with the number of unread notices. */
export function InboxLink({ me }: { readonly me: Me }) {
  useRenewedPush(me);
  const { t } = useTranslation();
  const { path } = useLocation();
  const { data: count = 0 } = useQuery(unreadQuery);
  return (
    <Link
      className={styles["inbox"]}
      to="/inbox"
      aria-current={path === "/inbox" ? "page" : undefined}
      aria-label={count > 0 ? t("reminders.inbox.open", { count }) : t("reminders.inbox.openNone")}
    >
      <Icon name="bell" />
      {count > 0 && (
        <span className={styles["count"]} aria-hidden="true">
          {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
        </span>
      )}
    </Link>
  );
}

/** Dead letters: what was given up, why, and another try. */
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/dialog";
import { classes } from "../ui/classes";
import { useAction } from "../ui/hooks/use-action";
import { MoreButton } from "../ui/more-button";
import { FailureNotice, Notice, Trouble, Waiting } from "../ui/notice";
import { SiteIcon } from "../ui/site-icon";
import { useDates } from "../ui/time/dates";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { deadQuery, discardDead, retryDead, shopsKey, type DeadLetter } from "./api";
import { Empty, ShopsFrame } from "./frame";
import { domainOf } from "./products-screen";
import { reasonOf } from "./reasons";
import styles from "./shops.module.css";

export default function FailedScreen() {
  const { t } = useTranslation();
  const [said, setSaid] = useState("");
  return (
    <ShopsFrame>
      <Failed say={setSaid} />
      {said !== "" && <Notice tone="good">{t("shops.failed.retried", { page: said })}</Notice>}
    </ShopsFrame>
  );
}

function Failed({ say }: { readonly say: (page: string) => void }) {
  const { t } = useTranslation();
  const found = useInfiniteQuery(deadQuery);
  const items = found.data?.pages.flatMap((page) => page.items) ?? [];
  if (found.isPending) return <Waiting />;
  if (found.error) return <Trouble error={found.error} retry={found.refetch} />;
  if (items.length === 0) return <Empty text={t("shops.none.failed")} />;
  return (
    <section className={classes(layout["panel"], layout["stack"])}>
      <p className={layout["soft"]}>{t("shops.failed.text")}</p>
      <ul className={list["rows"]}>
        {items.map((dead) => (
          <DeadRow key={dead.id} dead={dead} say={say} />
        ))}
      </ul>
      <MoreButton list={found} />
    </section>
  );
}

function DeadRow({ dead, say }: { readonly dead: DeadLetter; readonly say: (page: string) => void }) {
  const { t } = useTranslation();
  const dates = useDates();
  const queries = useQueryClient();
  const [isDiscarding, setDiscarding] = useState(false);
  const done = () => {
    void queries.invalidateQueries({ queryKey: shopsKey });
  };
  const name = (dead.type === "SEARCH" ? dead.url : dead.item_key).replace(/^https?:\/\//, "");
  const retry = useAction(() => retryDead(dead.id), {
    done: () => {
      say(name);
      done();
    },
  });
  const discard = useAction(() => discardDead(dead.id), { done });
  return (
    <li className={list["row"]}>
      <SiteIcon domain={domainOf(dead.url)} />
      <div className={list["row-words"]}>
        <p className={list["row-name"]}>
          <a className={styles["link"]} href={dead.url} target="_blank" rel="noreferrer noopener">
            <bdi>{name}</bdi>
          </a>
          <Badge>{t(`shops.tasks.types.${dead.type as "SEARCH"}`)}</Badge>
        </p>
        <p className={styles["wrong"]}>{reasonOf(dead.error, t)}</p>
        <p className={list["row-note"]}>
          {t(`shops.failed.what.${dead.what}`)} · {dates.moment(dead.at)} ·{" "}
          {t("shops.failed.tries", { count: dead.retry_count })}
        </p>
        <FailureNotice failure={retry.failure} />
      </div>
      <div className={styles["actions"]} role="group" aria-label={t("shops.schedule.actions", { name })}>
        <Button
          isBusy={retry.isBusy}
          aria-label={t("shops.failed.retryOf", { name })}
          onClick={() => {
            retry.run();
          }}
        >
          {t("shops.failed.retry")}
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            setDiscarding(true);
          }}
        >
          {t("shops.failed.discard")}
        </Button>
      </div>
      {isDiscarding && (
        <ConfirmDialog
          title={t("shops.failed.discardTitle")}
          text={t("shops.failed.discardText")}
          confirm={t("shops.failed.discard")}
          action={discard}
          close={() => {
            setDiscarding(false);
          }}
        />
      )}
    </li>
  );
}

/** What is behind a node: its pages with time and summary, what it is related to, and what can be done with it. */
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "../i18n/translation";
import type { Visit } from "../session/api";
import { safeHref, shortUrl } from "../ui/addresses";
import { pagesOf, type Page } from "../session/pages";
import { Link } from "../app/router";
import { pageAddress } from "../visited/page-address";
import { Button } from "../ui/button";
import { SiteIcon } from "../ui/site-icon";
import { inWords } from "../ui/time/durations";
import { labelOf, ROOT, type Tree } from "./tree";
import styles from "./details.module.css";
import stage from "./mindmap.module.css";

const MOST_PAGES = 50;

export type Doing = "rename" | "add" | "move" | "connect";

interface Props {
  readonly tree: Tree;
  readonly id: string;
  readonly visits: readonly Visit[];
  readonly begin: (doing: Doing) => void;
  readonly remove: () => void;
  readonly disconnect: (other: string) => void;
  readonly go: (id: string) => void;
  readonly close: () => void;
}

export function Details({ tree, id, visits, begin, remove, disconnect, go, close }: Props) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Below the map it may be out of sight; nobody would know that something had opened.
    place.current?.scrollIntoView({ block: "nearest" });
  }, [id]);
  const node = tree.byId.get(id);
  const pages = useMemo(() => {
    const own = new Set(node?.related_page_visit_ids);
    return pagesOf(visits.filter((visit) => own.has(visit.id)));
  }, [node, visits]);
  if (!node) return null;
  const { total_duration_ms, page_count, highlight_count } = node.metadata;
  const related = tree.related.get(id) ?? [];
  return (
    <div ref={place} className={stage["aside"]}>
      <section className={styles["details"]} aria-labelledby="node-title">
        <header className={styles["head"]}>
          <h3 id="node-title" tabIndex={-1}>
            <bdi>{node.label}</bdi>
          </h3>
          <Button look="quiet" aria-label={t("mindmap.details.close")} onClick={close}>
            <span aria-hidden="true">×</span>
          </Button>
        </header>
        <p className={styles["facts"]}>
          {[
            inWords(total_duration_ms, t),
            t("mindmap.details.pages", { count: page_count }),
            ...(highlight_count > 0 ? [t("mindmap.details.highlights", { count: highlight_count })] : []),
            ...(node.by === "reader" ? [t("mindmap.details.yours")] : []),
          ].join(" · ")}
        </p>
        <div className={styles["actions"]}>
          {(["add", "rename", "move", "connect"] as const)
            .filter((doing) => id !== ROOT || doing !== "move")
            .map((doing) => (
              <Button
                key={doing}
                onClick={() => {
                  begin(doing);
                }}
              >
                {t(`mindmap.edit.${doing}`)}
              </Button>
            ))}
          {id !== ROOT && (
            <Button look="danger" onClick={remove}>
              {t("mindmap.edit.delete")}
            </Button>
          )}
        </div>
        {related.length > 0 && (
          <>
            <h4>{t("mindmap.details.related")}</h4>
            <ul className={styles["related"]}>
              {related.map((other) => (
                <li key={other}>
                  <Button
                    look="quiet"
                    onClick={() => {
                      go(other);
                    }}
                  >
                    <bdi>{labelOf(tree, other)}</bdi>
                  </Button>
                  <Button
                    look="quiet"
                    aria-label={t("mindmap.details.disconnect", { label: labelOf(tree, other) })}
                    onClick={() => {
                      disconnect(other);
                    }}
                  >
                    <span aria-hidden="true">×</span>
                  </Button>
                </li>
              ))}
            </ul>
          </>
        )}
        {pages.length > 0 ? (
          <ul className={styles["pages"]} aria-label={t("mindmap.details.pageList")}>
            {pages.slice(0, MOST_PAGES).map((page) => (
              <PageItem key={page.urlId} page={page} />
            ))}
          </ul>
        ) : (
          <p className={styles["facts"]}>{t("mindmap.details.noPages")}</p>
        )}
      </section>
    </div>
  );
}

function PageItem({ page }: { readonly page: Page }) {
  const { t } = useTranslation();
  const title = (page.title ?? "").slice(0, 300) || shortUrl(page.url);
  return (
    <li>
      <SiteIcon domain={page.domain} favicon={page.favicon} />
      <div>
        <p className={styles["page-title"]}>
          <a href={safeHref(page.url)} target="_blank" rel="noreferrer noopener">
            <bdi>{title}</bdi>
          </a>
        </p>
        <p className={styles["facts"]}>
          <Link
            to={pageAddress(page.urlId)}
            aria-label={t("visited.of", { domain: page.domain, name: title })}
          >
            <bdi>{page.domain}</bdi>
          </Link>{" "}
          · {inWords(page.ms, t)}
        </p>
        {page.summary !== null && (
          <p className={styles["summary"]} dir="auto">
            {page.summary}
          </p>
        )}
      </div>
    </li>
  );
}

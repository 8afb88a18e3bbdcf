import type { components } from "@mindhit/client";
import { useTranslation } from "../i18n/translation";
import { Badge } from "../ui/badge";
import { classes } from "../ui/classes";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";

type Failing = components["schemas"]["FailingDomain"];

export function FailingDomains({ failing }: { readonly failing: readonly Failing[] }) {
  const { t } = useTranslation();
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="domains-title">
      <h2 id="domains-title">{t("operations.domains.title")}</h2>
      {failing.length === 0 ? (
        <p className={layout["empty"]}>{t("operations.domains.none")}</p>
      ) : (
        <ul className={list["rows"]}>
          {failing.map(({ domain, dead, last_error }) => (
            <li key={domain} className={list["row"]}>
              <div className={list["row-words"]}>
                <p className={list["row-name"]}>
                  <bdi>{domain}</bdi>
                </p>
                {last_error && <p className={list["row-note"]}>{last_error.slice(0, 300)}</p>}
              </div>
              <Badge tone="warn">{t("operations.domains.failed", { count: dead })}</Badge>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

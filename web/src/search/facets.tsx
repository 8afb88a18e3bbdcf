/** By type, site and time. Numbers are those of what was found; a filter stays until it is removed. */
import type { components } from "@mindhit/client";
import { useTranslation } from "../i18n/translation";
import { navigate } from "../app/router";
import layout from "../ui/styles/layout.module.css";
import type { Kind, Wanted } from "./api";
import { DAYS, KINDS, searchAddress } from "./search-address";
import styles from "./search.module.css";

type Found = components["schemas"]["Facets"];

export function Facets({ wanted, facets }: { readonly wanted: Wanted; readonly facets: Found }) {
  const { t } = useTranslation();
  const change = (more: Partial<Record<keyof Wanted, unknown>>) => {
    const next = Object.fromEntries(
      Object.entries({ ...wanted, ...more }).filter(([, value]) => value !== ""),
    ) as unknown as Wanted;
    navigate(searchAddress(next), { keepsPlace: true });
  };
  const count = (kind: Kind) => facets.kind.find(({ value }) => value === kind)?.count;
  const sites = new Set([
    ...(wanted.domain ? [wanted.domain] : []),
    ...facets.domain.map(({ value }) => value),
  ]);
  return (
    <div className={styles["facets"]}>
      <label>
        <span className={layout["sr-only"]}>{t("search.kinds.label")}</span>
        <select
          value={wanted.kind ?? ""}
          onChange={(event) => {
            change({ kind: event.currentTarget.value });
          }}
        >
          <option value="">{t("search.kinds.all")}</option>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {withCount(t(`search.kinds.${kind}`), count(kind))}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className={layout["sr-only"]}>{t("search.sites")}</span>
        <select
          value={wanted.domain ?? ""}
          onChange={(event) => {
            change({ domain: event.currentTarget.value });
          }}
        >
          <option value="">{t("search.allSites")}</option>
          {[...sites].map((site) => (
            <option key={site} value={site}>
              {withCount(site, facets.domain.find(({ value }) => value === site)?.count)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className={layout["sr-only"]}>{t("search.when.label")}</span>
        <select
          value={wanted.days ?? ""}
          onChange={(event) => {
            change({ days: event.currentTarget.value === "" ? "" : Number(event.currentTarget.value) });
          }}
        >
          <option value="">{t("search.when.any")}</option>
          {DAYS.map((days) => (
            <option key={days} value={days}>
              {t(`search.when.${days}`)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function withCount(name: string, count: number | undefined): string {
  return count === undefined ? name : `${name} (${String(count)})`;
}

/** Everything that was found, narrowed by type, site and time; results follow what is typed. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { navigate, useLocation } from "../app/router";
import { useArrival } from "../app/screen";
import { useHidden } from "../ui/deletions";
import { MoreButton } from "../ui/more-button";
import { Notice, Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import { resultsQuery, type Wanted, isHidden } from "./api";
import { Facets } from "./facets";
import { HitRow } from "./hit-row";
import { SaveButton, SavedSearches } from "./saved";
import { searchAddress, wantedOf } from "./search-address";
import { Tips } from "./tips";
import { useSettled } from "./use-settled";
import styles from "./search.module.css";

export default function SearchScreen() {
  const { t } = useTranslation();
  const { search } = useLocation();
  const wanted = wantedOf(search);
  const heading = useArrival(wanted.q === "" ? t("search.title") : `${wanted.q} – ${t("search.title")}`);
  return (
    <div className={styles["screen"]}>
      <h1 ref={heading} tabIndex={-1} className={layout["sr-only"]}>
        {t("search.title")}
      </h1>
      <div className={styles["bar"]}>
        <Field wanted={wanted} />
        <SaveButton query={wanted.q} />
      </div>
      <SavedSearches />
      {wanted.q.trim() === "" ? (
        <>
          <p className={styles["soft"]}>{t("search.start")}</p>
          <Tips />
        </>
      ) : (
        <Results wanted={wanted} />
      )}
    </div>
  );
}

function Field({ wanted }: { readonly wanted: Wanted }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(wanted.q);
  const [asked, setAsked] = useState(wanted.q);
  const settled = useSettled(typed);
  if (asked !== wanted.q) {
    // Somebody went back, or chose a saved search.
    setAsked(wanted.q);
    if (settled !== wanted.q) setTyped(wanted.q);
  }
  useEffect(() => {
    const now = wantedOf(new URLSearchParams(location.search));
    if (settled !== now.q)
      navigate(searchAddress({ ...now, q: settled }), { replace: true, keepsPlace: true });
  }, [settled]);
  return (
    <form
      className={styles["form"]}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <input
        className={styles["field"]}
        type="search"
        aria-label={t("search.title")}
        placeholder={t("search.hint")}
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
        }}
      />
    </form>
  );
}

function Results({ wanted }: { readonly wanted: Wanted }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery(resultsQuery(wanted));
  const hidden = useHidden();
  const pages = list.data?.pages ?? [];
  const first = pages[0];
  if (!first) return list.error ? <Trouble error={list.error} retry={list.refetch} /> : <Waiting />;
  // Pages of a list that changes in between may share a hit.
  const all = pages.flatMap(({ hits }) => hits);
  const hits = [...new Map(all.map((hit) => [`${hit.kind} ${hit.id}`, hit])).values()].filter(
    (hit) => !isHidden(hit, hidden),
  );
  return (
    <>
      <Facets wanted={wanted} facets={first.facets} />
      <div className={styles["summary"]}>
        <p role="status" className={styles["soft"]}>
          {first.is_counted
            ? t("search.count", { count: first.count })
            : t("search.many", { count: first.count })}
        </p>
        <Tips />
      </div>
      {first.is_loose && hits.length > 0 && <Notice>{t("search.loose")}</Notice>}
      {hits.length === 0 && (
        <Notice>
          <p>{t("search.none", { query: wanted.q })}</p>
          <p>{t("search.noneHint")}</p>
        </Notice>
      )}
      <ol className={styles["hits"]}>
        {hits.map((hit) => (
          <HitRow key={`${hit.kind} ${hit.id}`} hit={hit} />
        ))}
      </ol>
      <MoreButton list={list} />
    </>
  );
}

/** Which watched page a list is about. */
import { Problem } from "@mindhit/client";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { navigate } from "../app/router";
import layout from "../ui/styles/layout.module.css";
import { scheduleNamesQuery, scheduleQuery } from "./api";

interface Props {
  readonly picked: string | null;
  readonly pick: (id: string) => void;
}

export function SchedulePicker({ picked, pick }: Props) {
  const { t } = useTranslation();
  const { data: schedules } = useQuery(scheduleNamesQuery);
  // More pages can be watched than are listed here, and an address can name one that was removed.
  const isOther = picked !== null && picked !== "" && !schedules?.some(({ id }) => id === picked);
  const other = useQuery({ ...scheduleQuery(picked ?? ""), enabled: isOther && schedules !== undefined });
  const { error } = other;
  const isGone = error instanceof Problem && (error.status === 404 || error.status === 422);
  return (
    <label>
      <span className={layout["sr-only"]}>{t("shops.filter.page")}</span>
      <select
        value={picked ?? ""}
        onChange={({ currentTarget: { value } }) => {
          pick(value);
        }}
      >
        <option value="">{t("shops.filter.allPages")}</option>
        {isOther && (
          <option value={picked}>
            {other.data?.name ?? t(isGone ? "shops.filter.removedPage" : "shops.filter.page")}
          </option>
        )}
        {schedules?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What a list shows is in its address. */
export function goWith(
  path: string,
  search: URLSearchParams,
  changes: Readonly<Record<string, string>>,
): void {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes))
    if (value === "") next.delete(name);
    else next.set(name, value);
  const said = next.toString();
  navigate(said === "" ? path : `${path}?${said}`, { replace: true, keepsPlace: true });
}

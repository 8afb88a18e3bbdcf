/** What a person wants to be told of: changes of the price from a percentage on, stock, and what is gone. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { Check, Select } from "../ui/forms/field";
import { alertsQuery, type Alerts } from "./api";
import styles from "./shops.module.css";

const USUAL: Alerts = { price_down: 5, price_up: null, back_in_stock: true, gone: false };
const PERCENT = 5;

interface Props {
  readonly alerts: Alerts;
  readonly change: (alerts: Alerts) => void;
}

export function AlertFields({ alerts, change }: Props) {
  const { t } = useTranslation();
  return (
    <fieldset className={styles["alerts"]}>
      <legend>{t("shops.alerts.legend")}</legend>
      <PriceAlert
        label={t("shops.alerts.down")}
        unit={t("shops.alerts.downBy")}
        percent={alerts.price_down}
        change={(price_down) => {
          change({ ...alerts, price_down });
        }}
      />
      <PriceAlert
        label={t("shops.alerts.up")}
        unit={t("shops.alerts.upBy")}
        percent={alerts.price_up ?? null}
        change={(price_up) => {
          change({ ...alerts, price_up });
        }}
      />
      <Check
        label={t("shops.alerts.back")}
        checked={alerts.back_in_stock}
        onChange={({ currentTarget: { checked } }) => {
          change({ ...alerts, back_in_stock: checked });
        }}
      />
      <Check
        label={t("shops.alerts.gone")}
        hint={t("shops.alerts.goneHint")}
        checked={alerts.gone}
        onChange={({ currentTarget: { checked } }) => {
          change({ ...alerts, gone: checked });
        }}
      />
    </fieldset>
  );
}

interface PriceProps {
  readonly label: string;
  readonly unit: string;
  readonly percent: number | null;
  readonly change: (percent: number | null) => void;
}

function PriceAlert({ label, unit, percent, change }: PriceProps) {
  return (
    <div className={styles["price-alert"]}>
      <Check
        label={label}
        checked={percent !== null}
        onChange={({ currentTarget: { checked } }) => {
          change(checked ? PERCENT : null);
        }}
      />
      {percent !== null && (
        <label className={styles["percent"]}>
          <input
            type="number"
            min={0.1}
            max={1000}
            step="any"
            inputMode="decimal"
            defaultValue={percent}
            aria-label={unit}
            onChange={({ currentTarget: { valueAsNumber } }) => {
              if (valueAsNumber > 0 && valueAsNumber <= 1000) change(valueAsNumber);
            }}
          />
          %
        </label>
      )}
    </div>
  );
}

interface OfScheduleProps {
  /** As in the person's settings: null. */
  readonly alerts: Alerts | null;
  readonly change: (alerts: Alerts | null) => void;
}

/** Of one watched page: as everywhere, or its own. */
export function ScheduleAlerts({ alerts, change }: OfScheduleProps) {
  const { t } = useTranslation();
  const { data: usual } = useQuery(alertsQuery);
  return (
    <>
      <Select
        name="alerts"
        label={t("shops.form.alerts")}
        value={alerts === null ? "usual" : "own"}
        onChange={({ currentTarget: { value } }) => {
          change(value === "own" ? (usual ?? USUAL) : null);
        }}
      >
        <option value="usual">{t("shops.form.alertsUsual")}</option>
        <option value="own">{t("shops.form.alertsOwn")}</option>
      </Select>
      {alerts !== null && <AlertFields alerts={alerts} change={change} />}
    </>
  );
}

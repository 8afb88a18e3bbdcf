/** What to be told of, on every watched page that says nothing else. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { classes } from "../ui/classes";
import { Form } from "../ui/forms/form";
import { Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import { AlertFields } from "./alert-fields";
import { alertsQuery, setAlerts, type Alerts } from "./api";
import { ShopsFrame } from "./frame";

export default function AlertsScreen() {
  const alerts = useQuery(alertsQuery);
  return (
    <ShopsFrame>
      {alerts.data ? (
        <Choices known={alerts.data} />
      ) : alerts.error ? (
        <Trouble error={alerts.error} retry={alerts.refetch} />
      ) : (
        <Waiting />
      )}
    </ShopsFrame>
  );
}

function Choices({ known }: { readonly known: Alerts }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [alerts, change] = useState(known);
  return (
    <section className={classes(layout["panel"], layout["stack"])}>
      <p className={layout["soft"]}>
        {t("shops.alerts.text")} <Link to="/settings/notifications">{t("shops.alerts.toChannels")}</Link>
      </p>
      <Form
        submit={t("ui.save")}
        success={t("ui.saved")}
        send={() => setAlerts(alerts)}
        done={(saved) => {
          queries.setQueryData(alertsQuery.queryKey, saved);
        }}
      >
        <AlertFields alerts={alerts} change={change} />
      </Form>
    </section>
  );
}

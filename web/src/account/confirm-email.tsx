/** The link of a mail that proves an address. A click and not the visit counts: mail filters open links too. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { confirm } from "./api";
import { meQuery } from "./me";
import { useToken } from "./link-token";
import { Link } from "../app/router";
import { useAction } from "../ui/hooks/use-action";
import { Button } from "../ui/button";
import { FailureNotice, Notice } from "../ui/notice";
import { NarrowScreen } from "../app/screen";
import layout from "../ui/styles/layout.module.css";
import { classes } from "../ui/classes";
import { buttonClass } from "../ui/button";

type Confirmed = Awaited<ReturnType<typeof confirm>>;

export default function ConfirmEmailScreen() {
  const { t } = useTranslation();
  const token = useToken();
  const queries = useQueryClient();
  const [confirmed, setConfirmed] = useState<Confirmed | null>(null);
  const action = useAction(confirm, {
    done: (answer) => {
      setConfirmed(answer);
      void queries.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <NarrowScreen title={t("account.confirmEmail.title")}>
      {confirmed ? (
        <Done confirmed={confirmed} />
      ) : token === "" ? (
        <Notice>{t("account.incompleteLink")}</Notice>
      ) : (
        <div className={classes(layout["panel"], layout["stack"])}>
          <p>{t("account.confirmEmail.text")}</p>
          <FailureNotice failure={action.failure} />
          <p>
            <Button
              look="main"
              isBusy={action.isBusy}
              onClick={() => {
                action.run(token);
              }}
            >
              {t("account.confirmEmail.submit")}
            </Button>
          </p>
        </div>
      )}
    </NarrowScreen>
  );
}

function Done({ confirmed: { purpose, email } }: { readonly confirmed: Confirmed }) {
  const { t } = useTranslation();
  return (
    <Notice tone="good">
      <p>{t(`account.confirmEmail.done.${purpose}`, { email })}</p>
      <p>
        <Link className={buttonClass("main")} to="/">
          {t("account.confirmEmail.goOn")}
        </Link>
      </p>
    </Notice>
  );
}

/** The link of a mail that proves an address. A click and not the visit counts: mail filters open links too. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { confirm } from "../account/api";
import { meQuery } from "../account/me";
import { useToken } from "../account/token";
import { Link } from "../router";
import { useAction } from "../ui/action";
import { Button } from "../ui/button";
import { FailureNotice, Notice } from "../ui/notice";
import { NarrowScreen } from "../ui/screen";

type Confirmed = Awaited<ReturnType<typeof confirm>>;

export function ConfirmPage() {
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
    <NarrowScreen title={t("confirm.title")}>
      {confirmed ? (
        <Done confirmed={confirmed} />
      ) : token === "" ? (
        <Notice>{t("links.incomplete")}</Notice>
      ) : (
        <div className="panel stack">
          <p>{t("confirm.text")}</p>
          <FailureNotice failure={action.failure} />
          <p>
            <Button
              look="main"
              isBusy={action.isBusy}
              onClick={() => {
                action.run(token);
              }}
            >
              {t("confirm.submit")}
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
      <p>{t(`confirm.done.${purpose}`, { email })}</p>
      <p>
        <Link className="button main" to="/">
          {t("confirm.goOn")}
        </Link>
      </p>
    </Notice>
  );
}

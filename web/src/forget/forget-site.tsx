/** A button that forgets a whole site, after asking. */
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../ui/button";
import { ForgetDialog } from "./forget-dialog";

interface Props {
  readonly domain: string;
  readonly done: () => void;
}

export function ForgetSite({ domain, done }: Props) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        look="quiet"
        onClick={() => {
          setAsking(true);
        }}
      >
        {t("forget.labelOf", { name: domain })}
      </Button>
      {isAsking && (
        <ForgetDialog
          title={t("forget.titles.site", { name: domain })}
          what={{ domain }}
          close={() => {
            setAsking(false);
          }}
          done={done}
        />
      )}
    </>
  );
}

/** Of a visit: the visit itself, its page, or its whole site. */
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import type { What } from "./api";
import { ForgetDialog } from "./forget-dialog";
import styles from "./forget.module.css";

/** As much of a visit as has to be known. */
export interface Visited {
  readonly id: string;
  readonly url: string;
  readonly domain: string;
}

const CHOICES = ["visit", "page", "site"] as const;
type Choice = (typeof CHOICES)[number];

interface Props {
  readonly sessionId: string;
  readonly visit: Visited;
  readonly close: () => void;
}

export function ForgetVisit({ sessionId, visit, close }: Props) {
  const { t } = useTranslation();
  const [choice, choose] = useState<Choice>("visit");
  const name = visit.domain;
  return (
    <ForgetDialog
      title={t(`forget.titles.${choice}`, { name })}
      what={whatOf(choice, sessionId, visit)}
      close={close}
    >
      <fieldset className={styles["choices"]}>
        <legend>{t("forget.choice")}</legend>
        {CHOICES.map((each) => (
          <label key={each} className={styles["choice"]}>
            <input
              type="radio"
              name="forget"
              checked={each === choice}
              onChange={() => {
                choose(each);
              }}
            />
            <bdi>{t(`forget.choices.${each}`, { name })}</bdi>
          </label>
        ))}
      </fieldset>
    </ForgetDialog>
  );
}

function whatOf(choice: Choice, sessionId: string, { id, url, domain }: Visited): What {
  if (choice === "site") return { domain };
  return choice === "page" ? { url } : { session_id: sessionId, visit_id: id };
}

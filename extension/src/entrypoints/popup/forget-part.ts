/** The popup's part that deletes what was recorded: the last hour, or everything of this site. Asks before it does. */
import type { Request } from "../../messages";
import type { Forgettable } from "../../outbox/http";
import { button, h } from "../../ui/dom";
import { t } from "../../ui/i18n";

export function forgetPart(site: string | null, act: (request: Request) => void): HTMLElement {
  const choices = h("div", { class: "row" });
  const offer = () => {
    choices.replaceChildren(
      choice(t("forgetHour"), t("forgetHourSure"), { last: "1h" }),
      ...(site === null ? [] : [choice(t("forgetSite", site), t("forgetSiteSure", site), { domain: site })]),
    );
  };
  const choice = (label: string, question: string, what: Forgettable) =>
    button(
      label,
      () => {
        choices.replaceChildren(
          h("p", { role: "alert" }, question),
          button(
            t("forgetYes"),
            () => {
              act({ ask: "forget", what });
              offer();
            },
            "bad",
          ),
          button(t("cancel"), offer),
        );
      },
      "small",
    );
  offer();
  return h("details", { class: "forget" }, h("summary", {}, t("forgetTitle")), choices);
}

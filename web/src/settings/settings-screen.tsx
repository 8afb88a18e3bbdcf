/** Everything a person can set: one section at a time, each with an address of its own. */
import type { ComponentType } from "react";
import { useTranslation } from "../i18n/translation";
import { useMe } from "../account/me";
import { Link, type Params } from "../app/router";
import { useArrival } from "../app/screen";
import { NotFoundScreen } from "../app/not-found";
import { PlanSection } from "../billing/plan-section";
import { DataSection } from "./your-data";
import { DevicesSection } from "./devices";
import { NotificationsSection } from "../reminders/notifications-section";
import { GeneralSection } from "./general";
import { ModelSection } from "./model";
import { PrivacySection } from "./privacy";
import { SecuritySection } from "./security";
import { ServerSection } from "./server";
import { useCurrentInSight } from "../ui/hooks/use-current-in-sight";
import styles from "./settings.module.css";

const SECTIONS = {
  general: GeneralSection,
  notifications: NotificationsSection,
  privacy: PrivacySection,
  model: ModelSection,
  plan: PlanSection,
  security: SecuritySection,
  devices: DevicesSection,
  data: DataSection,
  server: ServerSection,
} as const satisfies Record<string, ComponentType>;

type Name = keyof typeof SECTIONS;

export default function SettingsScreen({ params }: { readonly params: Params }) {
  const { role } = useMe();
  const names = (Object.keys(SECTIONS) as Name[]).filter((name) => name !== "server" || role === "owner");
  const wanted = params["section"] ?? "general";
  const name = names.find((one) => one === wanted);
  return name === undefined ? <NotFoundScreen /> : <Section key={name} name={name} names={names} />;
}

function Section({ name, names }: { readonly name: Name; readonly names: readonly Name[] }) {
  const { t } = useTranslation();
  const heading = useArrival(`${t(`settings.sections.${name}`)} – ${t("app.nav.settings")}`);
  const ways = useCurrentInSight(name);
  const Content = SECTIONS[name];
  return (
    <div className={styles["settings"]}>
      <p className={styles["title"]}>{t("app.nav.settings")}</p>
      <nav ref={ways} className={styles["sections"]} aria-label={t("settings.label")}>
        {names.map((one) => (
          <Link
            key={one}
            to={one === "general" ? "/settings" : `/settings/${one}`}
            aria-current={one === name ? "page" : undefined}
          >
            {t(`settings.sections.${one}`)}
          </Link>
        ))}
      </nav>
      <div className={styles["content"]}>
        <h1 ref={heading} tabIndex={-1}>
          {t(`settings.sections.${name}`)}
        </h1>
        <Content />
      </div>
    </div>
  );
}

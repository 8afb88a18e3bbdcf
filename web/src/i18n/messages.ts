/** All texts, by language and area. Each area owns its `en.ts` and `ko.ts`; a second area of the same name doesn't compile. */
import { en as accountEn } from "../account/en";
import { ko as accountKo } from "../account/ko";
import { en as appEn } from "../app/en";
import { ko as appKo } from "../app/ko";
import { en as landingEn } from "../landing/en";
import { ko as landingKo } from "../landing/ko";
import { en as operationsEn } from "../operations/en";
import { ko as operationsKo } from "../operations/ko";
import { en as overviewEn } from "../overview/en";
import { ko as overviewKo } from "../overview/ko";
import { en as problemsEn } from "../problems/en";
import { ko as problemsKo } from "../problems/ko";
import { en as sessionEn } from "../session/en";
import { ko as sessionKo } from "../session/ko";
import { en as settingsEn } from "../settings/en";
import { ko as settingsKo } from "../settings/ko";
import { en as setupEn } from "../setup/en";
import { ko as setupKo } from "../setup/ko";
import { en as uiEn } from "../ui/en";
import { ko as uiKo } from "../ui/ko";
import type { Texts } from "./texts";

export const en = {
  account: accountEn,
  app: appEn,
  landing: landingEn,
  operations: operationsEn,
  overview: overviewEn,
  problems: problemsEn,
  session: sessionEn,
  settings: settingsEn,
  setup: setupEn,
  ui: uiEn,
} as const;

export const ko: Texts<typeof en> = {
  account: accountKo,
  app: appKo,
  landing: landingKo,
  operations: operationsKo,
  overview: overviewKo,
  problems: problemsKo,
  session: sessionKo,
  settings: settingsKo,
  setup: setupKo,
  ui: uiKo,
};

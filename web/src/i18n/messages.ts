/** All texts, by language and area. Each area owns its `en.ts` and `ko.ts`; a second area of the same name doesn't compile. */
import { en as accountEn } from "../account/en";
import { ko as accountKo } from "../account/ko";
import { en as appEn } from "../app/en";
import { ko as appKo } from "../app/ko";
import { en as billingEn } from "../billing/en";
import { ko as billingKo } from "../billing/ko";
import { en as forgetEn } from "../forget/en";
import { ko as forgetKo } from "../forget/ko";
import { en as highlightsEn } from "../highlights/en";
import { ko as highlightsKo } from "../highlights/ko";
import { en as landingEn } from "../landing/en";
import { ko as landingKo } from "../landing/ko";
import { en as libraryEn } from "../library/en";
import { ko as libraryKo } from "../library/ko";
import { en as mindmapEn } from "../mindmap/en";
import { ko as mindmapKo } from "../mindmap/ko";
import { en as operationsEn } from "../operations/en";
import { ko as operationsKo } from "../operations/ko";
import { en as overviewEn } from "../overview/en";
import { ko as overviewKo } from "../overview/ko";
import { en as problemsEn } from "../problems/en";
import { ko as problemsKo } from "../problems/ko";
import { en as remindersEn } from "../reminders/en";
import { ko as remindersKo } from "../reminders/ko";
import { en as searchEn } from "../search/en";
import { ko as searchKo } from "../search/ko";
import { en as sessionEn } from "../session/en";
import { ko as sessionKo } from "../session/ko";
import { en as settingsEn } from "../settings/en";
import { ko as settingsKo } from "../settings/ko";
import { en as setupEn } from "../setup/en";
import { ko as setupKo } from "../setup/ko";
import { en as shopsEn } from "../shops/en";
import { ko as shopsKo } from "../shops/ko";
import { en as togetherEn } from "../together/en";
import { ko as togetherKo } from "../together/ko";
import { en as uiEn } from "../ui/en";
import { ko as uiKo } from "../ui/ko";
import { en as visitedEn } from "../visited/en";
import { ko as visitedKo } from "../visited/ko";
import type { Texts } from "./texts";

export const en = {
  account: accountEn,
  app: appEn,
  billing: billingEn,
  forget: forgetEn,
  highlights: highlightsEn,
  landing: landingEn,
  library: libraryEn,
  mindmap: mindmapEn,
  operations: operationsEn,
  overview: overviewEn,
  problems: problemsEn,
  reminders: remindersEn,
  search: searchEn,
  session: sessionEn,
  settings: settingsEn,
  setup: setupEn,
  shops: shopsEn,
  together: togetherEn,
  ui: uiEn,
  visited: visitedEn,
} as const;

export const ko: Texts<typeof en> = {
  account: accountKo,
  app: appKo,
  billing: billingKo,
  forget: forgetKo,
  highlights: highlightsKo,
  landing: landingKo,
  library: libraryKo,
  mindmap: mindmapKo,
  operations: operationsKo,
  overview: overviewKo,
  problems: problemsKo,
  reminders: remindersKo,
  search: searchKo,
  session: sessionKo,
  settings: settingsKo,
  setup: setupKo,
  shops: shopsKo,
  together: togetherKo,
  ui: uiKo,
  visited: visitedKo,
};

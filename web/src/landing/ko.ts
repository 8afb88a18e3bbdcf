import type { Texts } from "../i18n/texts";
import type { en } from "./en";

export const ko: Texts<typeof en> = {
  purpose: "나만의 브라우징 기록. 읽은 것을 정확한 타임라인으로 내 서버에 남겨요.",
};

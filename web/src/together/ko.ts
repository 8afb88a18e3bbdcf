import type { Texts } from "../i18n/texts";
import type { en } from "./en";

export const ko: Texts<typeof en> = {
  title: "세션 모아 보기",
  heading_one: "세션 {{count}}개",
  heading_other: "세션 {{count}}개 모아 보기",
  onStrip: "막대에서 보기: {{name}}",
  none: "볼 수 있는 세션이 없어요. 개요에서 세션을 선택하면 모아 볼 수 있어요.",
};

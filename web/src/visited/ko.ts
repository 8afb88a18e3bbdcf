import type { Texts } from "../i18n/texts";
import type { en } from "./en";

export const ko: Texts<typeof en> = {
  of: "{{domain}}: ‘{{name}}’ 자세히 보기",
  open: "원문 열기",
  save: "보관함에 저장",
  saved: "보관함에서 보기",
  time: "실제로 본 시간",
  visits: "방문",
  first: "첫 방문",
  last: "마지막으로 본 시각",
  text: "요약",
  keywords: "키워드",
  showText: "기록된 본문 보기",
  fetched: "로그인하지 않은 상태로 서버가 읽은 본문이에요.",
  noText: "이 페이지의 본문은 기록되지 않았어요.",
  highlights: "하이라이트",
  reachedFrom: "이 페이지로 온 경로",
  opened: "여기에서 연 페이지",
  times_one: "한 번",
  times_other: "{{count}}번",
  newest_one: "가장 최근 방문만 표시했어요.",
  newest_other: "최근 방문 {{count}}개만 표시했어요.",
  noVisits: "아직 끝난 방문이 없어요.",
};

import type { Texts } from "../i18n/texts";
import type { en } from "./en";

export const ko: Texts<typeof en> = {
  label: "기록 지우기…",
  labelOf: "{{name}} 기록 지우기…",
  titles: {
    visit: "이 방문 기록을 지울까요?",
    page: "이 페이지의 기록을 지울까요?",
    site: "{{name}} 기록을 지울까요?",
    last: "최근 1시간 기록을 지울까요?",
    day: "{{name}} 기록을 지울까요?",
  },
  choice: "지울 범위",
  choices: {
    visit: "이 방문만",
    page: "이 페이지의 모든 방문",
    site: "{{name}}의 모든 기록",
  },
  counting: "확인하는 중…",
  none: "남아 있는 기록이 없어요. 브라우저가 아직 보내지 않은 기록도 저장되지 않아요.",
  visits_one: "방문 {{count}}개",
  visits_other: "방문 {{count}}개",
  sessions_one: "(세션 {{count}}개)",
  sessions_other: "(세션 {{count}}개)",
  highlights_one: "및 하이라이트 {{count}}개",
  highlights_other: "및 하이라이트 {{count}}개",
  goes: "{{what}}와 페이지 본문이 완전히 삭제돼요. 시간은 타임라인에 ‘기록 안 함’으로 남아요. 되돌릴 수 없어요.",
  forget: "지우기",
  done: "지웠어요.",
  section: {
    title: "기록 지우기",
    text: "방문, 페이지 본문, 하이라이트, 원본 이벤트까지 모두 지워요. 페이지나 사이트 하나만 지우려면 세션을 열고 방문 옆의 ‘기록 지우기’를 누르세요.",
    last: "최근 1시간 기록 지우기…",
    day: "날짜",
    forgetDay: "이 날짜의 기록 지우기…",
  },
};

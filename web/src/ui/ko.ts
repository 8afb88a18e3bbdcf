import type { Texts } from "../i18n/texts";
import type { en } from "./en";

export const ko: Texts<typeof en> = {
  loading: "불러오는 중…",
  save: "저장",
  saved: "저장했어요.",
  cancel: "취소",
  close: "닫기",
  showMore: "더 보기",
  unknown: "알 수 없음",
  noMatches: "검색 결과가 없어요.",
  form: {
    required: "입력해 주세요.",
  },
  copy: {
    copy: "복사",
    copied: "복사했어요.",
    selected: "선택했어요. 키보드로 복사하거나 길게 눌러 복사해 주세요.",
  },
  undo: {
    undo: "실행 취소",
    failed: "삭제하지 못해서 그대로 남아 있어요. {{reason}}",
  },
  duration: {
    none: "0분",
    underMinute: "1분 미만",
    ms: "{{n}}ms",
    s: "{{n}}초",
    min: "{{n}}분",
    h: "{{n}}시간",
  },
};

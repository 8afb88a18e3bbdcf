import type { Texts } from "../i18n/texts";
import type { en } from "./en";

export const ko: Texts<typeof en> = {
  title: "하이라이트",
  none: "아직 하이라이트가 없어요. 페이지에서 텍스트를 선택하고 마우스 오른쪽 버튼을 눌러 ‘MindHit에 하이라이트로 저장’을 선택해 보세요.",
  readAll: "전체 보기",
  open: "원문에서 보기",
  moment: "세션에서 보기",
  copy: "Markdown으로 복사",
  copyAll: "모두 Markdown으로 복사",
  note: {
    label: "메모",
    add: "메모 추가",
    deleted: "메모를 삭제했어요.",
    edit: "메모 수정",
  },
};

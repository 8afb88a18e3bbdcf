import type { Texts } from "../i18n/texts";
import type { en } from "./en";

export const ko: Texts<typeof en> = {
  skip: "본문으로 건너뛰기",
  home: "MindHit 홈",
  nav: {
    label: "주 메뉴",
    overview: "개요",
    library: "보관함",
    highlights: "하이라이트",
    reminders: "리마인더",
    shops: "쇼핑몰",
    operations: "운영",
    settings: "설정",
  },
  menu: {
    open: "계정: {{email}}",
    signedInAs: "로그인한 계정",
    signOut: "로그아웃",
  },
  language: "언어",
  theme: {
    label: "테마",
    system: "시스템 테마",
    light: "밝은 테마",
    dark: "어두운 테마",
  },
  flash: {
    signedOut: "로그아웃했어요.",
    signedOutElsewhere:
      "로그아웃됐어요. 다른 곳에서 이 브라우저의 연결을 해제했거나 로그인이 만료됐어요. 다시 로그인하면 보던 화면으로 돌아가요.",
    passwordChosen: "비밀번호를 설정했어요. 새 비밀번호로 로그인해 주세요.",
    erased: "계정과 모든 데이터를 삭제하고 있어요. 모든 기기에서 로그아웃했어요.",
    welcome: "환영해요! 이제 이 서버의 소유자예요.",
  },
  notFound: {
    title: "페이지를 찾을 수 없어요",
    text: "이 주소에는 페이지가 없어요.",
    home: "홈으로",
  },
  crash: {
    text: "화면을 열지 못했어요. 그사이 서버가 업그레이드됐을 수 있어요. 페이지를 새로고침해 주세요.",
    reload: "새로고침",
  },
  offline: {
    text: "서버에 연결할 수 없어요. 다시 연결하고 있어요… 입력한 내용은 그대로 있어요.",
    retry: "지금 다시 시도",
  },
  server: {
    title: "서버",
    checking: "확인하는 중…",
    ready: "정상",
    databaseDown: "데이터베이스 연결 안 됨",
    serverDown: "서버 연결 안 됨",
    help: {
      checking: "잠시만 기다려 주세요.",
      ready: "서버와 데이터베이스가 모두 정상이에요.",
      databaseDown: "서버는 정상이지만 PostgreSQL에 연결할 수 없어요. 계속 다시 시도하고 있어요.",
      serverDown: "이 주소에서 응답이 없어요. 이 페이지에서 계속 확인하고 있어요.",
    },
    checked: "{{time}}에 확인",
    version: "버전",
  },
  shortcuts: {
    title: "키보드 단축키",
    sections: {
      everywhere: "모든 화면",
      overview: "개요",
      session: "세션",
    },
    keys: {
      undo: "마지막 삭제 실행 취소",
      select: "세션 선택",
      help: "키보드 단축키 보기",
      goOverview: "개요로 이동",
      goLibrary: "보관함으로 이동",
      goSettings: "설정으로 이동",
      goOperations: "운영으로 이동",
      search: "전체 검색(Ctrl K도 가능)",
      filter: "세션 필터",
      next: "다음 세션 또는 방문",
      previous: "이전 세션 또는 방문",
      rename: "세션 제목 바꾸기",
      zoom: "타임라인 막대 확대·축소",
      pan: "타임라인 막대에서 이동",
      fit: "세션 전체 보기",
    },
    enabled: "한 글자 단축키 사용",
    enabledHint: "음성 입력이나 다른 도구와 충돌하면 꺼 주세요.",
    close: "닫기",
  },
};

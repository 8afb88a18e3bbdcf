import type { Messages } from "../index";
import { account } from "./account";
import { operations } from "./operations";
import { problems } from "./problems";
import { sessions } from "./sessions";
import { settings } from "./settings";

export const ko: Messages = {
  ...account,
  ...operations,
  ...problems,
  ...sessions,
  ...settings,
  common: {
    waiting: "잠시만 기다려 주세요…",
    save: "저장",
    saved: "저장했습니다.",
    cancel: "취소",
    more: "더 보기",
    unknown: "알 수 없음",
    nothingFound: "찾은 것이 없습니다.",
  },
  copy: {
    copy: "복사",
    copied: "복사했습니다.",
    selected: "선택해 두었습니다. 키보드로 복사하거나 길게 눌러 복사하세요.",
  },
  language: {
    label: "언어",
  },
  theme: {
    label: "테마",
    system: "시스템 테마",
    light: "밝은 테마",
    dark: "어두운 테마",
  },
  shell: {
    skip: "본문으로 건너뛰기",
    home: "MindHit: 처음으로",
  },
  nav: {
    label: "주 메뉴",
    overview: "개요",
    operations: "운영",
    settings: "설정",
  },
  menu: {
    open: "{{email}} 계정",
    signedInAs: "로그인한 계정",
    signOut: "로그아웃",
  },
  lost: {
    title: "찾을 수 없는 페이지",
    text: "이 주소에는 페이지가 없습니다.",
    home: "처음으로",
  },
  start: {
    purpose: "온전히 내 것인 브라우징 기억. 읽은 것을 정확한 타임라인으로 내 서버에 남깁니다.",
    state: {
      title: "서버",
      asking: "서버에 묻는 중…",
      ready: "준비됨",
      databaseAway: "데이터베이스 연결 끊김",
      serverAway: "서버 응답 없음",
      help: {
        asking: "잠시만 기다려 주세요.",
        ready: "서버와 데이터베이스가 모두 응답합니다.",
        databaseAway: "서버는 응답하지만 PostgreSQL에 연결하지 못합니다. 서버가 스스로 다시 시도합니다.",
        serverAway: "이 주소에서 응답이 없습니다. 계속 확인하며, 돌아오면 바로 알려 드립니다.",
      },
      checked: "{{time}}에 확인",
    },
    version: "버전",
    versionUnknown: "알 수 없음",
  },
  overview: {
    welcome: "환영합니다! 이제 이 서버의 소유자입니다.",
    next: "다음에 할 일",
    done: "완료",
    steps: {
      connect: {
        title: "확장 프로그램 연결하기",
        text: "확장 프로그램은 연결한 뒤에만 읽은 것을 기록합니다. 화면에 나온 코드를 여기서 비교하고 승인하세요.",
      },
      exclude: {
        title: "기록하지 않을 곳 정하기",
        text: "은행, 병원처럼 기억에 남기고 싶지 않은 도메인을 적어 두세요.",
      },
      verify: {
        title: "이메일 주소 인증하기",
        text: "비밀번호를 잊었을 때 다시 정할 수 있고, 메일도 제대로 받을 수 있습니다.",
      },
    },
  },
};

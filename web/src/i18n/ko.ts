import type { Messages } from "./index";

export const ko: Messages = {
  language: {
    label: "언어",
  },
  shell: {
    skip: "본문으로 건너뛰기",
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
    next: {
      title: "다음에 할 일",
      api: {
        title: "API 명세 보기",
        text: "서버가 이해하는 모든 요청을 담은 OpenAPI 문서입니다.",
      },
      readme: {
        title: "README 읽기",
        text: "설치, 설정, 관리 방법은 소스 폴더의 README.md에 있습니다.",
      },
      cli: {
        title: "명령줄 살펴보기",
        text: "모든 명령과 각 명령의 설명:",
      },
    },
  },
};

import type { Messages } from "../index";

export const problems: Pick<Messages, "failure" | "problems"> = {
  failure: {
    away: "서버가 응답하지 않습니다. 입력한 것은 그대로 있으니 잠시 후 다시 시도하세요.",
    retry: "다시 시도",
    tooMany: "시도가 너무 많습니다. 잠시 후 다시 시도하세요.",
    tooManySeconds: "시도가 너무 많습니다. {{seconds}}초 후에 다시 시도하세요.",
    tooManyMinutes: "시도가 너무 많습니다. {{minutes}}분 후에 다시 시도하세요.",
    screen: "화면을 열지 못했습니다. 그사이 서버가 업그레이드되었을 수 있으니 페이지를 새로 고쳐 보세요.",
    reload: "새로 고침",
  },
  problems: {
    "title-changed": "그사이 다른 제목이 붙었습니다.",
    "session-not-found": "그런 세션이 없습니다. 여기나 다른 곳에서 삭제했을 수 있습니다.",
    "job-not-found": "이미 사라진 작업입니다.",
    "wrong-credentials": "이메일 주소나 비밀번호가 맞지 않습니다.",
    "wrong-password": "비밀번호가 맞지 않습니다.",
    "link-not-valid": "쓸 수 없거나 기한이 지난 링크입니다. 새 링크를 받으세요.",
    "sign-up-closed": "이 서버는 가입을 받지 않습니다. 소유자가 사람을 추가할 수 있습니다.",
    "passwords-off": "이 서버는 비밀번호를 받지 않습니다. 외부 계정으로 로그인하세요.",
    "owner-exists": "이 서버에는 이미 소유자가 있습니다.",
    "owner-only": "이 서버의 소유자만 할 수 있습니다.",
    "owner-needed": "다른 사람이 이 서버에 있는 동안 소유자는 떠날 수 없습니다.",
    "person-exists": "이 주소를 쓰는 사람이 이미 있습니다.",
    "bad-address": "이메일 주소가 아닙니다.",
    "wrong-confirmation": "이 계정의 주소가 아닙니다.",
    "foreign-origin":
      "서버가 이 페이지를 다른 사이트로 여깁니다. 서버를 운영한다면 공개 주소가 주소창의 주소와 같은지 확인하세요.",
    "device-not-found": "이미 연결이 끊긴 기기입니다.",
    "kept-mail-not-found": "이미 없는 메일입니다.",
    "connection-not-found": "없는 코드이거나 시간이 지났습니다. 확장 프로그램에서 다시 시작하세요.",
  },
};

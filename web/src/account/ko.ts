import type { Texts } from "../i18n/texts";
import type { en } from "./en";

export const ko: Texts<typeof en> = {
  fields: {
    email: "이메일 주소",
    password: "비밀번호",
    currentPassword: "현재 비밀번호",
    newPassword: "새 비밀번호",
    show: "보기",
    hide: "숨기기",
    showPassword: "비밀번호 보기",
    hidePassword: "비밀번호 숨기기",
    tooShortYet: "{{shortest}}자 이상 입력해 주세요. 지금 {{length}}자예요.",
    longEnough: "충분히 길어요. 길수록 더 안전해요.",
  },
  checks: {
    email: "you@example.com 같은 이메일 주소를 입력해 주세요.",
    passwordShort: "{{shortest}}자 이상 입력해 주세요.",
    passwordMonotone: "서로 다른 문자를 {{fewest}}개 이상 써 주세요.",
    passwordIsAddress: "이메일 주소는 비밀번호로 쓸 수 없어요.",
  },
  noMail:
    "이 서버는 메일을 보내지 않아요. 서버 소유자가 설정의 서버 화면에서 링크를 확인해 전해 줄 수 있어요.",
  asked: "링크를 요청했어요",
  incompleteLink: "링크 일부가 빠져 있어요. 메일에서 다시 열거나 링크 전체를 복사해 주세요.",
  unknownDevice: "알 수 없는 기기",
  noOwner: {
    title: "아직 소유자가 없는 서버예요",
    text: "서버가 시작될 때 터미널과 로그에 시작 링크가 나와요. 그 링크를 열면 소유자가 돼요. 서버를 시작할 때마다 새 링크가 나와요.",
  },
  signIn: {
    title: "로그인",
    submit: "로그인",
    forgot: "비밀번호를 잊으셨나요?",
    or: "또는",
    oidc: "{{name}} 계정으로 로그인",
    oidcFailed: {
      denied: "외부 계정 로그인을 취소했어요.",
      expired: "로그인 시간이 지났거나 이미 사용한 로그인이에요. 처음부터 다시 시도해 주세요.",
      browser: "다른 브라우저나 다른 주소에서 시작한 로그인이에요. 처음부터 다시 시도해 주세요.",
      provider: "외부 계정 서비스가 제대로 응답하지 않았어요. 나중에 다시 시도해 주세요.",
      token: "외부 계정 서비스의 응답을 확인하지 못했어요. 다시 시도하거나 서버 소유자에게 알려 주세요.",
      unverified: "외부 계정의 이메일 주소가 인증되지 않았어요. 먼저 그곳에서 인증해 주세요.",
      unknown: "이 서버에 계정이 없어요. 서버 소유자에게 요청해 주세요.",
      linked:
        "이 이메일 주소의 계정은 다른 외부 계정에 연결되어 있어요. 그 외부 계정으로 로그인하거나 서버 소유자에게 연결 해제를 요청해 주세요.",
      leaving: "삭제 중인 계정이에요.",
      no_owner: "아직 소유자가 없는 서버예요. 소유자가 먼저 시작 링크를 열어야 해요.",
      other: "외부 계정으로 로그인하지 못했어요. 다시 시도하거나 다른 방법으로 로그인해 주세요.",
    },
    new: "처음이신가요?",
  },
  signUp: {
    title: "계정 만들기",
    lead: "메일로 받은 링크에서 비밀번호를 설정하면 돼요.",
    noMailLead:
      "이 서버는 메일을 보내지 않아요. 비밀번호를 정하는 링크를 서버 소유자가 확인해 전해 줄 수 있어요.",
    submit: "계정 만들기",
    have: "이미 계정이 있으신가요?",
    sent: "메일함을 확인해 주세요",
    sentText: "{{email}} 주소를 쓸 수 있으면 다음 단계를 안내하는 메일이 도착해요.",
  },
  becomeOwner: {
    title: "MindHit에 오신 것을 환영해요",
    lead: "이 서버의 소유자로 로그인할 이메일 주소와 비밀번호를 입력해 주세요.",
    noToken: "링크 일부가 빠져 있어요. 서버의 터미널이나 로그에서 링크 전체를 복사해 주세요.",
    used: "이미 사용한 링크예요. 이 서버에는 소유자가 있어요. 본인이라면 로그인해 주세요.",
    emailHint: "로그인할 때 써요. 이 서버에만 저장돼요.",
    submit: "소유자 되기",
  },
  confirmEmail: {
    title: "이메일 주소 확인",
    text: "내 이메일 주소가 맞으면 확인을 눌러 주세요.",
    submit: "확인",
    goOn: "계속",
    done: {
      verify: "{{email}} 주소를 인증했어요.",
      email: "이메일 주소를 바꿨어요: {{email}}",
    },
  },
  resetPassword: {
    title: "비밀번호를 잊으셨나요?",
    lead: "이메일 주소를 입력하면 비밀번호를 재설정할 수 있는 링크를 보내 드려요.",
    noMailLead: "이 서버는 메일을 보내지 않아요. 링크를 요청하면 서버 소유자가 전해 줄 수 있어요.",
    submit: "링크 보내기",
    request: "링크 요청하기",
    ownerTitle: "이 서버를 직접 운영하시나요?",
    ownerText:
      "서버에서 아래 명령을 실행하면 새 비밀번호를 정하는 링크가 나와요. 저장소를 복제해 쓴다면 .venv/bin 안에 있어요.",
    sent: "메일함을 확인해 주세요",
    sentText: "{{email}} 계정이 있으면 링크가 도착해요. 링크는 잠시 동안만 쓸 수 있어요.",
    back: "로그인으로 돌아가기",
    choose: "비밀번호 설정하기",
    chooseLead: "이전 비밀번호로 로그인한 기기는 모두 로그아웃돼요.",
    chooseSubmit: "비밀번호 설정",
    again: "새 링크 받기",
  },
};

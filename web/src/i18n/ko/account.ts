import type { Messages } from "../index";

type Account = Pick<
  Messages,
  | "fields"
  | "checks"
  | "flash"
  | "mail"
  | "links"
  | "noOwner"
  | "signIn"
  | "signUp"
  | "welcome"
  | "confirm"
  | "reset"
  | "connect"
>;

export const account: Account = {
  fields: {
    email: "이메일 주소",
    password: "비밀번호",
    currentPassword: "현재 비밀번호",
    newPassword: "새 비밀번호",
    show: "보기",
    hide: "숨기기",
    showPassword: "비밀번호 보기",
    hidePassword: "비밀번호 숨기기",
    tooShortYet: "{{shortest}}자 이상이어야 합니다. 지금 {{length}}자입니다.",
    longEnough: "충분히 깁니다. 길수록 더 안전합니다.",
  },
  checks: {
    missing: "입력해 주세요.",
    email: "you@example.com 같은 이메일 주소를 입력하세요.",
    passwordShort: "{{shortest}}자 이상 입력하세요.",
    passwordMonotone: "서로 다른 문자를 네 가지 이상 쓰세요.",
    passwordIsAddress: "이메일 주소가 아닌 다른 비밀번호를 정하세요.",
  },
  flash: {
    signedOut: "로그아웃했습니다.",
    passwordChosen: "비밀번호를 정했습니다. 새 비밀번호로 로그인하세요.",
    erased: "계정과 그 안의 모든 것을 삭제하고 있습니다. 모든 기기에서 로그아웃했습니다.",
    welcome: "환영합니다!",
    signedOutElsewhere:
      "로그아웃되었습니다. 다른 곳에서 이 브라우저의 연결을 끊었거나 로그인 시간이 지났습니다. 다시 로그인하면 보던 곳으로 돌아갑니다.",
    deleted: "세션을 삭제했습니다.",
  },
  mail: {
    none: "이 서버는 메일을 보내지 않습니다. 서버 소유자가 링크를 보고 전해 줄 수 있습니다.",
  },
  links: {
    incomplete: "링크가 온전하지 않습니다. 메일에서 다시 열거나 전체를 복사해 주세요.",
  },
  noOwner: {
    title: "아직 소유자가 없는 서버입니다",
    text: "서버가 시작하면서 터미널과 로그에 환영 링크를 남겼습니다. 그 링크를 열면 소유자가 됩니다. 시작할 때마다 새 링크가 나옵니다.",
  },
  signIn: {
    title: "로그인",
    submit: "로그인",
    forgot: "비밀번호를 잊으셨나요?",
    or: "또는",
    oidc: "{{name}}(으)로 로그인",
    oidcFailed: {
      denied: "외부 계정에서 로그인을 취소했습니다.",
      expired: "시간이 너무 지났거나 이미 쓴 로그인입니다. 처음부터 다시 하세요.",
      browser: "다른 브라우저나 다른 주소에서 시작한 로그인입니다. 처음부터 다시 하세요.",
      provider: "외부 계정 서비스가 제대로 응답하지 않았습니다. 나중에 다시 시도하세요.",
      token: "외부 계정 서비스가 보낸 정보를 믿을 수 없습니다.",
      unverified: "외부 계정 서비스에서 이메일 주소가 인증되지 않았습니다.",
      unknown: "이 서버에 계정이 없습니다. 서버 소유자에게 요청하세요.",
      linked: "이 이메일 주소의 계정은 다른 외부 계정에 연결되어 있습니다.",
      leaving: "삭제 중인 계정입니다.",
      no_owner: "아직 소유자가 없는 서버입니다. 소유자가 환영 링크로 먼저 들어와야 합니다.",
      other: "외부 계정으로 로그인하지 못했습니다. 다시 시도하거나 다른 방법을 쓰세요.",
    },
    new: "처음이신가요?",
  },
  signUp: {
    title: "계정 만들기",
    lead: "메일로 받은 링크에서 비밀번호를 정합니다.",
    submit: "계정 만들기",
    have: "계정이 있으신가요?",
    sent: "메일함을 확인하세요",
    sentText: "{{email}} 주소를 여기서 쓸 수 있다면 다음 단계를 담은 메일이 곧 도착합니다.",
  },
  welcome: {
    title: "MindHit에 오신 것을 환영합니다",
    lead: "첫 번째로 오셨습니다. 이 서버의 소유자로 로그인할 방법을 정하세요.",
    noToken: "링크가 온전하지 않습니다. 서버의 터미널이나 로그에서 링크 전체를 복사하세요.",
    emailHint: "로그인할 때 씁니다. 이 서버 밖으로 나가지 않습니다.",
    submit: "소유자 되기",
  },
  confirm: {
    title: "이메일 주소 확인",
    text: "한 번만 누르면 본인의 주소로 확인됩니다.",
    submit: "확인",
    goOn: "계속하기",
    done: {
      verify: "{{email}} 주소를 인증했습니다.",
      email: "이제 이메일 주소는 {{email}}입니다.",
    },
  },
  reset: {
    title: "비밀번호를 잊으셨나요?",
    lead: "이메일 주소를 입력하면 새 비밀번호를 정할 링크를 메일로 보냅니다.",
    submit: "링크 보내기",
    sent: "메일함을 확인하세요",
    sentText: "{{email}} 계정이 있다면 링크가 곧 도착합니다. 링크는 잠시 동안만 쓸 수 있습니다.",
    back: "로그인으로 돌아가기",
    choose: "비밀번호 정하기",
    chooseLead: "예전 비밀번호로 로그인한 기기는 모두 로그아웃됩니다.",
    chooseSubmit: "비밀번호 저장",
    again: "새 링크 받기",
  },
  connect: {
    title: "확장 프로그램 연결하기",
    lead: "확장 프로그램에 코드가 보입니다. 직접 시작한 연결만 승인하세요.",
    code: "코드",
    codeHint: "확장 프로그램에 보이는 여덟 글자입니다.",
    notACode: "코드는 BCDF-GHJK처럼 여덟 글자입니다.",
    look: "계속",
    asks: "{{name}}에서 이 계정에 연결하려고 합니다.",
    compare: "확장 프로그램에도 똑같은 코드가 보이나요?",
    from: "보낸 곳",
    at: "요청 시각",
    approve: "승인",
    deny: "거부",
    approveTitle: "연결했습니다",
    approveText: "확장 프로그램으로 돌아가세요. 곧 준비됩니다. 설정의 기기에서 연결을 끊을 수 있습니다.",
    denyTitle: "거부했습니다",
    denyText: "아무것도 연결하지 않았습니다. 이 페이지를 닫아도 됩니다.",
    overview: "개요로 가기",
  },
};

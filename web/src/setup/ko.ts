import type { Texts } from "../i18n/texts";
import type { en } from "./en";

export const ko: Texts<typeof en> = {
  title: "시작하기",
  lead: "네 단계만 거치면 첫 세션을 기록할 수 있어요. 마친 단계는 자동으로 표시돼요.",
  done: "완료",
  account: { title: "계정을 만들었어요", text: "{{email}} 계정으로 로그인했어요." },
  load: { title: "확장 프로그램 설치하기" },
  banner: {
    title: "아직 브라우저를 연결하지 않았어요",
    text: "확장 프로그램을 설치하면 읽은 페이지를 기록할 수 있어요. 몇 분이면 돼요.",
    connect: "브라우저 연결하기",
  },
  install: {
    browser: "브라우저",
    copyFolder: "확장 프로그램 폴더의 경로를 복사해 주세요.",
    folder: "확장 프로그램 폴더",
    unzip: "확장 프로그램을 다운로드하고, 계속 보관할 폴더에 압축을 풀어 주세요.",
    download: "확장 프로그램 다운로드",
    developerMode: "새 탭에서 아래 주소를 열고 개발자 모드를 켜 주세요.",
    page: "열 주소",
    loadUnpacked: "압축해제된 확장 프로그램을 로드합니다",
    pasteFolder:
      "‘압축해제된 확장 프로그램을 로드합니다(Load unpacked)’를 누르고 경로를 붙여넣어 폴더를 열어 주세요.",
    pasteHint: "파일 선택 창에서 Ctrl+L(Mac은 ⌘⇧G)을 누르면 경로를 붙여넣을 수 있어요.",
    chooseFolder:
      "‘압축해제된 확장 프로그램을 로드합니다(Load unpacked)’를 누르고 압축을 푼 폴더를 선택해 주세요.",
    elsewhere: "브라우저가 다른 컴퓨터에 있나요?",
    downloadZip: "압축 파일을 다운로드해 압축을 풀고 그 폴더를 선택해 주세요.",
    firefoxZip: "확장 프로그램을 다운로드해 주세요. 압축은 풀지 않아도 돼요.",
    firefoxPage: "새 탭에서 아래 주소를 열고 ‘임시 부가 기능 로드…’를 눌러 주세요.",
    loadTemporary: "임시 부가 기능 로드…",
    firefoxLoad: "다운로드한 파일을 선택해 주세요.",
    firefoxForgets:
      "Firefox는 종료할 때 임시 부가 기능을 지워요. 다시 시작하면 한 번 더 불러와 주세요. 기록은 그대로 남아요.",
    notBuilt:
      "이 서버에는 빌드된 확장 프로그램이 없어요. MindHit 폴더에서 make extension을 실행한 뒤 새로고침해 주세요.",
  },
  connectStep: {
    title: "이 서버에 연결하기",
    text: "확장 프로그램이 이 서버의 주소가 적힌 페이지를 열어요. 거기서 연결을 누르고, 양쪽에 나타난 코드가 같으면 승인해 주세요.",
    address: "이 서버의 주소",
    done: "{{name}} 연결을 마쳤어요.",
    code: "코드가 있어요",
  },
  record: {
    title: "기록해 보기",
    text: "확장 프로그램 팝업에서 ‘기록 시작’을 누르거나 Alt+Shift+R을 누른 뒤 평소처럼 브라우저를 사용해 주세요.",
    watching: "첫 기록을 기다리고 있어요…",
    going: "지금 기록하고 있어요.",
    open: "세션 보기",
    done: "첫 세션이 생겼어요.",
  },
  skip: "개요로 이동",
  more: {
    title: "다음에 할 일",
    exclude: {
      title: "기록하지 않을 사이트 정하기",
      text: "은행, 병원처럼 기록하고 싶지 않은 사이트를 추가해 주세요.",
    },
    verify: {
      title: "이메일 주소 인증하기",
      text: "비밀번호를 잊었을 때 재설정할 수 있고, 메일도 받을 수 있어요.",
    },
  },
  demo: {
    firstStepsTitle: "먼저 둘러보기",
    title: "데모 세션",
    load: "데모 세션 불러오기",
    hint: "2주 분량의 가상 브라우징 기록이에요. 언제든지 지울 수 있어요.",
    loaded_one: "데모 세션이 {{count}}개 있어요. 여기나 세션 화면에서 삭제할 수 있어요.",
    loaded_other:
      "데모 세션이 {{count}}개 있어요. 여기서 한꺼번에, 또는 세션 화면에서 하나씩 삭제할 수 있어요.",
    remove: "데모 세션 삭제",
    removeTitle: "데모 세션을 삭제할까요?",
    removeText: "직접 기록한 세션은 그대로 남아요. 삭제한 데모는 다시 불러올 수 없어요.",
    removed: "데모 세션을 삭제했어요. 다시 불러올 수 없어요.",
  },
  connect: {
    title: "확장 프로그램 연결하기",
    lead: "확장 프로그램에 코드가 표시돼요. 직접 시작한 연결만 승인해 주세요.",
    code: "코드",
    codeHint: "확장 프로그램에 표시된 여덟 글자예요.",
    notACode: "코드는 BCDF-GHJK처럼 여덟 글자예요.",
    submit: "계속",
    asks: "{{name}}에서 이 계정에 연결하려고 해요.",
    compare: "확장 프로그램에 똑같은 코드가 보이나요?",
    from: "요청한 곳",
    at: "요청 시각",
    approve: "승인",
    deny: "거부",
    approveTitle: "연결했어요",
    approveText: "확장 프로그램으로 돌아가 주세요. 곧 준비돼요. 설정의 기기에서 연결을 해제할 수 있어요.",
    denyTitle: "거부했어요",
    denyText: "아무것도 연결하지 않았어요. 이 페이지를 닫아도 돼요.",
    overview: "개요로 이동",
  },
};

/** The frame of the app: header, menu, shortcuts, what happened on the screen before, server status. */
export const en = {
  skip: "Skip to content",
  home: "MindHit home",
  nav: {
    label: "Main",
    overview: "Overview",
    operations: "Operations",
    settings: "Settings",
  },
  menu: {
    open: "Account: {{email}}",
    signedInAs: "Signed in as",
    signOut: "Sign out",
  },
  language: "Language",
  theme: {
    label: "Theme",
    system: "System theme",
    light: "Light theme",
    dark: "Dark theme",
  },
  flash: {
    signedOut: "You’re signed out.",
    signedOutElsewhere:
      "You were signed out: this browser was revoked elsewhere, or its sign-in expired. Sign in to continue where you left off.",
    passwordChosen: "Your password is set. Sign in with it.",
    erased: "Your account and everything in it are being deleted. You’re signed out everywhere.",
    welcome: "Welcome! You’re now the owner of this server.",
    deleted: "The session was deleted.",
  },
  notFound: {
    title: "Page not found",
    text: "There’s nothing at this address.",
    home: "Home",
  },
  crash: {
    text: "This screen couldn’t be shown. The server may have been upgraded in the meantime; reload the page.",
    reload: "Reload",
  },
  offline: {
    text: "Can’t reach the server. Retrying… Nothing is lost.",
    retry: "Retry now",
  },
  server: {
    title: "Server",
    checking: "Checking…",
    ready: "Ready",
    databaseDown: "Database unreachable",
    serverDown: "Server unreachable",
    help: {
      checking: "One moment.",
      ready: "The server and its database are up.",
      databaseDown: "The server is up but can’t reach PostgreSQL. It keeps retrying.",
      serverDown: "Nothing responds at this address. This page keeps checking.",
    },
    checked: "Checked at {{time}}",
    version: "Version",
  },
  shortcuts: {
    title: "Keyboard shortcuts",
    sections: {
      everywhere: "Everywhere",
      overview: "Overview",
      session: "Session",
    },
    keys: {
      help: "Show keyboard shortcuts",
      goOverview: "Go to overview",
      goSettings: "Go to settings",
      goOperations: "Go to operations",
      search: "Search sessions",
      next: "Next session or visit",
      previous: "Previous session or visit",
      rename: "Rename session",
      zoom: "Zoom the timeline strip",
      pan: "Move along the strip",
      fit: "Show the whole session",
    },
    enabled: "Enable single-key shortcuts",
    enabledHint: "Turn this off if it conflicts with speech input or another tool.",
    close: "Close",
  },
} as const;

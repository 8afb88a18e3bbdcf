import { account } from "./account";
import { operations } from "./operations";
import { problems } from "./problems";
import { sessions } from "./sessions";
import { settings } from "./settings";

export const en = {
  ...account,
  ...operations,
  ...problems,
  ...sessions,
  ...settings,
  common: {
    waiting: "One moment…",
    save: "Save",
    saved: "Saved.",
    cancel: "Cancel",
    more: "Show more",
    unknown: "unknown",
    nothingFound: "Nothing found.",
  },
  copy: {
    copy: "Copy",
    copied: "Copied.",
    selected: "Selected: copy it with the keyboard, or with a long press.",
  },
  language: {
    label: "Language",
  },
  theme: {
    label: "Theme",
    system: "Theme of the system",
    light: "Light theme",
    dark: "Dark theme",
  },
  shell: {
    skip: "Skip to content",
    home: "MindHit: to the start",
  },
  nav: {
    label: "Main",
    overview: "Overview",
    operations: "Operations",
    settings: "Settings",
  },
  menu: {
    open: "Account of {{email}}",
    signedInAs: "Signed in as",
    signOut: "Sign out",
  },
  lost: {
    title: "Nothing here",
    text: "There is no page at this address.",
    home: "To the start",
  },
  start: {
    purpose: "A browsing memory that is yours: an exact timeline of what you read, kept on your own server.",
    state: {
      title: "Server",
      asking: "Asking the server…",
      ready: "Ready",
      databaseAway: "Database away",
      serverAway: "Server away",
      help: {
        asking: "One moment.",
        ready: "The server and its database answer.",
        databaseAway: "The server answers but cannot reach PostgreSQL. It keeps trying on its own.",
        serverAway:
          "Nothing answers at this address. This page keeps asking and will notice when it is back.",
      },
      checked: "Checked at {{time}}",
    },
    version: "Version",
    versionUnknown: "unknown",
  },
  overview: {
    welcome: "Welcome! You are the owner of this server now.",
    next: "What to do next",
    done: "Done",
    steps: {
      connect: {
        title: "Connect the extension",
        text: "It records what you read, and only after you connected it. It shows a code; compare it here and approve.",
      },
      exclude: {
        title: "Choose what is never recorded",
        text: "Name the domains that stay out of your memory: your bank, your doctor, whatever you like.",
      },
      verify: {
        title: "Verify your address",
        text: "So that a forgotten password can be replaced, and mails reach you.",
      },
    },
  },
} as const;

export const en = {
  language: {
    label: "Language",
  },
  shell: {
    skip: "Skip to content",
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
    next: {
      title: "What to do next",
      api: {
        title: "Read the API description",
        text: "Every call the server understands, as an OpenAPI document for people and programs.",
      },
      readme: {
        title: "Read the README",
        text: "How to set up, configure and look after this server: README.md in the source folder.",
      },
      cli: {
        title: "Look at the command line",
        text: "All commands, each explaining itself:",
      },
    },
  },
} as const;

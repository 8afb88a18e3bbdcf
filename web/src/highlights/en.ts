/** Highlights of all sessions, and the notes on them. */
export const en = {
  title: "Highlights",
  none: "Nothing highlighted yet. Select some text on a page, right-click it and choose “Highlight in MindHit”.",
  readAll: "Show full text",
  open: "Open at this text",
  moment: "Show in session",
  copy: "Copy as Markdown",
  copyAll: "Copy all as Markdown",
  note: {
    label: "Note",
    add: "Add a note",
    edit: "Edit note",
    deleted: "The note was deleted.",
  },
} as const;

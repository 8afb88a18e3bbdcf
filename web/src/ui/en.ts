/** Words that all areas share. */
export const en = {
  loading: "Loading…",
  save: "Save",
  saved: "Saved.",
  cancel: "Cancel",
  close: "Close",
  showMore: "Show more",
  unknown: "unknown",
  noMatches: "No matches.",
  form: {
    required: "Please fill this in.",
  },
  copy: {
    copy: "Copy",
    copied: "Copied.",
    selected: "Selected. Copy it with the keyboard or a long press.",
  },
  undo: {
    undo: "Undo",
    failed: "Couldn’t delete it, so it’s still there. {{reason}}",
  },
  duration: {
    none: "0 min",
    underMinute: "< 1 min",
    ms: "{{n}} ms",
    s: "{{n}} s",
    min: "{{n}} min",
    h: "{{n}} h",
  },
} as const;

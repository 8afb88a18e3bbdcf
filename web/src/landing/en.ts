/** The page for people who aren’t signed in. */
export const en = {
  purpose: "Your own browsing memory: an exact timeline of what you read, kept on your own server.",
} as const;

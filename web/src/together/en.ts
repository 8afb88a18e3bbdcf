/** Several sessions in one view. */
export const en = {
  title: "Sessions together",
  heading_one: "{{count}} session",
  heading_other: "{{count}} sessions together",
  onStrip: "Show on the strip: {{name}}",
  none: "None of these sessions exists. Select sessions in the overview to see them together.",
} as const;

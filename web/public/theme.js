// Runs before the first paint, so that a chosen theme does not flash in the other one. src/app/theme.ts does the rest.
try {
  const { localStorage, document } = globalThis;
  const theme = localStorage.getItem("mindhit.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's theme then stands.
}

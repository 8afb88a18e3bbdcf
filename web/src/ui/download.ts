/** Offers a file to be saved. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has taken it by then; without this the file stays in memory as long as the page.
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, 60_000);
}

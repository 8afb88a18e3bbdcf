/** Tags as they are typed into one field: separated by commas, each once. */
export function tagsIn(text: string): string[] {
  const tags = text.split(/[,，]/).map((tag) => tag.trim().replace(/\s+/g, " "));
  return [...new Set(tags.filter((tag) => tag !== ""))];
}

/** Languages: the account's for people who are signed in; before that the last one used here, or the browser's first one that we have. */
import { recall, remember } from "../ui/local-storage";
import type { Language } from "./translate";

export type { Language } from "./translate";

/** Each language by its own name. */
export const LANGUAGES = { en: "English", ko: "한국어" } as const satisfies Record<Language, string>;

const REMEMBERED = "mindhit.language";
const listeners = new Set<() => void>();
let current: Language = "en";

export function isLanguage(tag: unknown): tag is Language {
  return typeof tag === "string" && Object.hasOwn(LANGUAGES, tag);
}

export function pickLanguage(remembered: string | null, wanted: readonly string[]): Language {
  const primary = wanted.map((tag) => tag.split("-")[0]?.toLowerCase());
  return [remembered, ...primary].find(isLanguage) ?? "en";
}

export function currentLanguage(): Language {
  return current;
}

/** Calls when it is another one. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function startLanguages(): void {
  become(pickLanguage(recall(REMEMBERED), navigator.languages));
}

export function chooseLanguage(language: Language): void {
  become(language);
  remember(REMEMBERED, language);
}

/** The account's language goes for every browser that its person signs in with. */
export function adoptLanguage(language: Language): void {
  if (current !== language || recall(REMEMBERED) !== language) chooseLanguage(language);
}

function become(language: Language): void {
  current = language;
  document.documentElement.lang = language;
  for (const listener of [...listeners]) listener();
}

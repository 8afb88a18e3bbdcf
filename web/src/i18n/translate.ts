/**
 * Texts by key. A screen takes hundreds of them and a scrolled list thousands: a general library needed 50 to 90 µs for
 * each and a subscription in every component, half of the time in which the overview was rendered (profiled).
 */
import { en, ko } from "./messages";

const MESSAGES = { en, ko } as const;
export type Language = keyof typeof MESSAGES;

/** `pages_one` and `pages_other` are one key, `pages`, with a `count`. */
type Counted<K extends string> = K extends `${infer Name}_one` | `${infer Name}_other` ? Name : K;
type KeysOf<T, Above extends string = ""> = {
  [K in keyof T & string]: T[K] extends string ? `${Above}${Counted<K>}` : KeysOf<T[K], `${Above}${K}.`>;
}[keyof T & string];
export type TextKey = KeysOf<typeof en>;

export type Values = Readonly<Record<string, string | number | undefined>>;
export type TFunction = (key: TextKey, values?: Values) => string;

const VALUE = /\{\{(\w+)\}\}/g;
const made = new Map<Language, TFunction>();

/** The same function whenever it is the same language. */
export function translator(language: Language): TFunction {
  const known = made.get(language);
  if (known) return known;
  const texts = new Map(flattened(MESSAGES[language]));
  const plurals = new Intl.PluralRules(language);
  const translate: TFunction = (key, values) => {
    if (values === undefined) return texts.get(key) ?? key;
    const { count } = values;
    const form = count === undefined ? undefined : texts.get(`${key}_${plurals.select(Number(count))}`);
    const text = form ?? texts.get(key) ?? key;
    // In one go: what a page calls itself may look like one of our values.
    return text.replace(VALUE, (_, name: string) => String(values[name] ?? ""));
  };
  made.set(language, translate);
  return translate;
}

function flattened(messages: object, above = ""): [string, string][] {
  return Object.entries(messages).flatMap(([key, value]: [string, string | object]) =>
    typeof value === "string" ? [[above + key, value]] : flattened(value, `${above}${key}.`),
  );
}

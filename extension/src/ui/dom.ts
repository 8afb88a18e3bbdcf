/** Creates elements. Text is always inserted as text, never as HTML. */
type Child = Node | string | null;
type Props = Readonly<Record<string, string | boolean | ((event: Event) => void)>>;

export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  props: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(key.replace(/^on/, "").toLowerCase(), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export function button(
  label: string,
  action: () => void,
  look: "main" | "plain" | "small" | "bad" = "plain",
): HTMLButtonElement {
  return h("button", { type: "button", "data-look": look, onclick: action }, label);
}

export function notice(text: string, tone: "note" | "good" | "warn" | "bad" = "note"): HTMLElement {
  return h("p", { class: "notice", "data-tone": tone, role: tone === "bad" ? "alert" : "status" }, text);
}

export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`#${id} is missing`);
  return found;
}

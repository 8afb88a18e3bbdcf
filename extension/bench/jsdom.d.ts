/** The parts of jsdom that are used here; it has no types of its own. */
declare module "jsdom" {
  export const VirtualConsole: new () => object;
  export class JSDOM {
    constructor(html: string, options: { url: string; virtualConsole: object });
    readonly window: { readonly document: Document };
  }
}

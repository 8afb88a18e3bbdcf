/** As much of jsdom as is used here; it brings no types. */
declare module "jsdom" {
  export const VirtualConsole: new () => object;
  export class JSDOM {
    constructor(html: string, options: { url: string; virtualConsole: object });
    readonly window: { readonly document: Document };
  }
}

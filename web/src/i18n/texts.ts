/** The shape of a translation: exactly the keys of the English texts, each with a text. */
export type Texts<T> = { readonly [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };

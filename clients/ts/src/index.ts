/**
 * The typed client of MindHit's HTTP interface: one function that knows every path, its parameters and its answers from
 * the generated schema. JSON only. It throws `Problem` for any answer that is not a success; a failure to reach the
 * server and an abort are thrown as `fetch` throws them.
 */
import { Problem } from "./problem";
import type { paths } from "./schema";

export { Problem, type ProblemDocument } from "./problem";
export * from "./limits";
export * from "./protocol";
export type * from "./schema";

type Method = "get" | "put" | "post" | "patch" | "delete";
type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Readonly<Record<M, object>> ? P : never;
}[keyof paths];
type Operation<M extends Method, P extends PathWith<M>> =
  paths[P] extends Readonly<Record<M, infer O>> ? O : never;

type Content<T> = T extends { readonly content: { readonly "application/json": infer B } } ? B : undefined;
type Answer<O> = O extends { readonly responses: infer R }
  ? { [S in keyof R]: S extends 200 | 201 | 202 | 204 ? Content<R[S]> : never }[keyof R]
  : never;
type Parameters<O> = O extends { readonly parameters: infer P }
  ? Pick<P, keyof P & ("path" | "query" | "header")>
  : object;
type Body<O> = O extends { readonly requestBody: infer R }
  ? { readonly body: Content<R> }
  : O extends { readonly requestBody?: infer R }
    ? { readonly body?: Content<R> } // of `never` where there is no body to send
    : unknown;
/** `keepalive`: the request outlives the page that sends it. */
type Asked<O> = Parameters<O> & Body<O> & { readonly signal?: AbortSignal; readonly keepalive?: boolean };
type Rest<T> = object extends T ? [asked?: T] : [asked: T];

type Scalar = string | number | boolean;
interface Loose {
  readonly path?: Readonly<Record<string, Scalar>>;
  readonly query?: Readonly<Record<string, Scalar | readonly Scalar[] | null | undefined>>;
  readonly header?: Readonly<Record<string, Scalar | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly keepalive?: boolean;
}

export type Api = <M extends Method, P extends PathWith<M>>(
  method: M,
  path: P,
  ...rest: Rest<Asked<Operation<M, P>>>
) => Promise<Answer<Operation<M, P>>>;

/** `base` is the server's origin, empty for the page's own; `headers` is asked anew for every request. */
export function createApi(
  base = "",
  headers: () => Readonly<Record<string, string>> = () => ({}),
  ask: typeof fetch = (...given) => fetch(...given),
): Api {
  return async (method, path, ...[asked]) => {
    const { body, header = {}, signal, keepalive, ...address } = (asked ?? {}) as Loose;
    const sent = new Headers({ accept: "application/json", ...headers() });
    for (const [name, value] of Object.entries(header))
      if (value !== undefined) sent.set(name, String(value));
    if (body !== undefined) sent.set("content-type", "application/json");
    const response = await ask(base + locate(path, address), {
      method: method.toUpperCase(),
      headers: sent,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      ...(keepalive === undefined ? {} : { keepalive }),
    });
    const text = await response.text();
    if (!response.ok) throw Problem.from(response, text);
    return (text === "" ? undefined : JSON.parse(text)) as never;
  };
}

function locate(template: string, { path = {}, query = {} }: Pick<Loose, "path" | "query">): string {
  const place = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
  );
  return pairs.length === 0 ? place : `${place}?${new URLSearchParams(pairs).toString()}`;
}

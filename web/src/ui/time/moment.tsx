import { useDates } from "./dates";

export function Moment({ at }: { readonly at: string }) {
  return <time dateTime={at}>{useDates().moment(at)}</time>;
}

/** Text with what was asked for marked in it. It is text, whatever it looks like. */
export function Snippet({ pieces }: { readonly pieces: readonly (readonly [string, boolean])[] }) {
  return pieces.map(([text, isHit], place) =>
    isHit ? <mark key={place}>{text}</mark> : <span key={place}>{text}</span>,
  );
}

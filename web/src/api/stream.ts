/**
 * Server-sent events. The browser reconnects by itself after a cut, but gives up when anything other than a stream
 * answers: a server that starts, a proxy before one that is gone. Then a new stream is opened after a while.
 */
import { checkOffline } from "./offline";

const FIRST_MS = 1_000;
const LONGEST_MS = 15_000;

/** `heard` gets what each `progress` event says; `ended` is called when there will be no more. Returns how to stop. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- what a stream says is its caller's to know
export function watchStream<T>(
  address: string,
  heard: (said: T) => void,
  ended: () => void,
  cut: () => void = checkOffline,
): () => void {
  let source: EventSource;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let patience = FIRST_MS;
  const open = () => {
    source = new EventSource(address);
    source.addEventListener("progress", (event: MessageEvent<string>) => {
      patience = FIRST_MS;
      heard(JSON.parse(event.data) as T);
    });
    source.addEventListener("end", () => {
      source.close();
      ended();
    });
    source.onerror = () => {
      // An orderly end after ten minutes looks the same; whether the server is gone, the asking tells.
      cut();
      if (source.readyState !== EventSource.CLOSED) return;
      waiting = setTimeout(open, patience);
      patience = Math.min(patience * 2, LONGEST_MS);
    };
  };
  open();
  return () => {
    clearTimeout(waiting);
    source.close();
  };
}

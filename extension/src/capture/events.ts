/** Events before they are numbered. The event protocol itself is generated from the server's declaration. */
import type { SentEvent } from "@mindhit/client";

export type NewEvent = Omit<SentEvent, "seq" | "sessionId">;

/** Events as the server accepts them. */
import type { paths } from "@mindhit/client";

type BatchBody =
  paths["/v1/sessions/{session_id}/events:batch"]["post"]["requestBody"]["content"]["application/json"];
/** An event as it is sent. */
export type WireEvent = BatchBody["events"][number];
/** An event that has no number yet. */
export type NewEvent = Omit<WireEvent, "seq" | "sessionId">;
export type Payload = NonNullable<WireEvent["payload"]>;
export type PageMeta = NonNullable<Payload["meta"]>;
export type Presence = "active" | "idle" | "locked";

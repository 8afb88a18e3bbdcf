/** Mind maps over HTTP. */
import { Problem, type components } from "@mindhit/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";

type Schemas = components["schemas"];
export type Mindmap = Schemas["Mindmap"];
export type MapNode = Schemas["MindmapNode"];
export type Operation = Schemas["MapEdit"]["ops"][number];

export const FORMATS = ["svg", "png", "md", "opml", "mm", "json"] as const;
export type MapFormat = (typeof FORMATS)[number];

export const mapQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ["mine", "sessions", "map", sessionId],
    queryFn: async ({ signal }) => {
      const path = { session_id: sessionId };
      return (await api("get", "/v1/sessions/{session_id}/mindmap", { path, signal })).mindmap;
    },
  });

/** Fails with a conflict if the map's revision isn't `revision` anymore. */
export const editMap = async (sessionId: string, revision: string, ops: readonly Operation[]) =>
  (
    await api("patch", "/v1/sessions/{session_id}/mindmap", {
      path: { session_id: sessionId },
      body: { revision, ops },
    })
  ).mindmap;

export const dropEdits = async (sessionId: string) =>
  (await api("delete", "/v1/sessions/{session_id}/mindmap/edits", { path: { session_id: sessionId } }))
    .mindmap;

export interface File {
  readonly name: string;
  readonly body: Blob;
}

/** Fetched first, so that a failure is shown on the page. */
export async function getMapFile(sessionId: string, format: MapFormat): Promise<File> {
  const response = await fetch(
    `/v1/sessions/${encodeURIComponent(sessionId)}/mindmap/export?format=${format}`,
  );
  if (!response.ok) throw Problem.from(response, await response.text());
  const name = /filename="([\w.-]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  return { name: name ?? `mindmap.${format}`, body: await response.blob() };
}

/** For tests: small maps of a session, and the session that they belong to. */
import { detailOf, inside, ok, session, visit, type Server } from "../testing";
import type { Visit } from "../session/api";
import type { MapNode, Mindmap, Operation } from "./api";

export const PATH = `/v1/sessions/${session.id}`;

export function nodeOf(id: string, label: string, more: Partial<MapNode> = {}): MapNode {
  const type = id === "root" ? "root" : (id.split("-")[0] as MapNode["type"]);
  return {
    id,
    label,
    type,
    importance: 0.5,
    related_page_visit_ids: [],
    position: { x: 0, y: 0 },
    size: { width: 100, height: 30 },
    metadata: { total_duration_ms: 60_000, highlight_count: 0, page_count: 1 },
    by: "generated",
    ...more,
  };
}

export function visitOf(n: number, more: Partial<Visit> = {}): Visit {
  return {
    ...visit,
    id: `${session.id}:${n}`,
    url: `https://site.example/${n}`,
    url_id: `0a000000-0000-4000-8000-00000000000${n}`,
    title: `Page ${n}`,
    ...more,
  };
}

/** Bread with two kinds of dough on the right, and tea on the left. */
export const map: Mindmap = {
  id: "3a000000-0000-4000-8000-000000000001",
  session_id: session.id,
  nodes: [
    nodeOf("root", "A first sourdough"),
    nodeOf("topic-bread", "Bread", {
      position: { x: 146, y: 0 },
      related_page_visit_ids: [`${session.id}:1`, `${session.id}:2`],
    }),
    nodeOf("topic-tea", "Tea", {
      position: { x: -146, y: 0 },
      related_page_visit_ids: [`${session.id}:3`],
    }),
    nodeOf("subtopic-rye", "Rye", {
      position: { x: 292, y: -21 },
      importance: 0.9,
      related_page_visit_ids: [`${session.id}:1`],
    }),
    nodeOf("subtopic-spelt", "Spelt", { position: { x: 292, y: 21 }, importance: 0.1 }),
  ],
  edges: [
    { id: "e1", source: "root", target: "topic-bread", type: "parent" },
    { id: "e2", source: "root", target: "topic-tea", type: "parent" },
    { id: "e3", source: "topic-bread", target: "subtopic-rye", type: "parent" },
    { id: "e4", source: "topic-bread", target: "subtopic-spelt", type: "parent" },
    { id: "e5", source: "subtopic-rye", target: "topic-tea", type: "related" },
  ],
  created_at: "2026-11-15T10:21:00.000Z",
  metadata: { engine: "builtin", model: "1", prompt_version: "1", layout_version: "1", limitation: null },
  revision: "r0",
  unplaced: 0,
  edits: 0,
};

/** A server with this map, which takes edits without applying them; and what it was sent. */
export function mapServer(first: Mindmap = map): {
  readonly server: Server;
  readonly ops: () => readonly Operation[];
} {
  const made: Operation[] = [];
  const now = () => ({ ...first, revision: `r${made.length}`, edits: made.length });
  return {
    ops: () => made,
    server: {
      ...inside,
      [`GET ${PATH}`]: ok(
        detailOf({ page_visits: [visitOf(1, { summary: "How rye bread rises." }), visitOf(2), visitOf(3)] }),
      ),
      [`GET ${PATH}/mindmap`]: () => ok({ mindmap: now() })(),
      [`PATCH ${PATH}/mindmap`]: ({ body }) => {
        made.push(...(body as { ops: Operation[] }).ops);
        return ok({ mindmap: now() })();
      },
    },
  };
}

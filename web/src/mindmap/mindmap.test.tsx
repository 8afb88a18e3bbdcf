import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { click, ok, open, problem, sent, serve, session, stubDialogs, stubStreams, type } from "../testing";
import { map, mapServer, nodeOf, PATH } from "./testing";

beforeEach(() => {
  stubDialogs();
  stubStreams();
  HTMLElement.prototype.setPointerCapture = () => undefined;
  HTMLElement.prototype.scrollTo = () => undefined;
  vi.stubGlobal("CSS", { escape: (text: string) => text });
});

const node = (name: string) => screen.findByRole("treeitem", { name: new RegExp(`^${name}`) });
const AT = `/sessions/${session.id}`;

test("a click on a node shows its pages with time and summary", async () => {
  const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
  serve(mapServer().server);
  open(AT);
  fireEvent.click(await node("Rye"));
  const details = await screen.findByRole("region", { name: "Rye" });
  expect(scrolled.mock.contexts).toEqual([details.parentElement]); // it may open below the window
  expect(within(details).getByText("How rye bread rises.")).toBeDefined();
  expect(within(details).getByRole("link", { name: "Page 1" })).toBeDefined();
  expect(within(details).getByRole("button", { name: "Tea" })).toBeDefined(); // what it's connected with
});

test.each([
  ["tokens-used-up", /built-in engine \(your plan’s AI tokens were used up\)/],
  ["too-large-for-plan", /built-in engine \(too few of your plan’s AI tokens were left/],
  ["too-many-pages", /built-in engine \(too many pages for a language model\)/],
  ["not-in-plan", /built-in engine \(your plan doesn’t include language models\)/],
  ["rate-limited", /built-in engine \(no language model answered\)/],
  ["time-limit", /built-in engine$/],
  [null, /built-in engine$/],
])("a map that no model made says why: %s", async (limitation, said) => {
  serve(mapServer({ ...map, metadata: { ...map.metadata, limitation } }).server);
  open(AT);
  expect(await screen.findByText(said)).toBeDefined();
});

test("a model's map says that its title is not the model's", async () => {
  const metadata = { ...map.metadata, engine: "openai", model: "gpt", limitation: "unavailable" };
  serve(mapServer({ ...map, metadata }).server);
  open(AT);
  expect(await screen.findByText(/Made by gpt \(title by the built-in engine\)$/)).toBeDefined();
});

test("nodes are added, renamed, moved, connected and deleted", async () => {
  const { server, ops } = mapServer();
  serve(server);
  open(AT);
  fireEvent.click(await node("Spelt"));
  await click("Add subtopic");
  await type("Label", " Flour ");
  await click("Add");
  await waitFor(() => {
    expect(ops()[0]).toMatchObject({ op: "add", parent: "subtopic-spelt", label: "Flour" });
  });
  fireEvent.click(await node("Spelt"));
  fireEvent.click(
    within(screen.getByRole("region", { name: "Spelt" })).getByRole("button", { name: "Rename" }),
  );
  await type("Label", "Dinkel");
  await click("Save");
  await click("Move…");
  fireEvent.click(within(screen.getByRole("dialog")).getByRole("radio", { name: "Tea" }));
  await click("Move");
  await click("Connect…");
  fireEvent.click(within(screen.getByRole("dialog")).getByRole("radio", { name: "Bread / Rye" }));
  await click("Connect");
  await waitFor(() => {
    expect(ops()).toHaveLength(4);
  });
  fireEvent.keyDown(await node("Spelt"), { key: "Delete" });
  await waitFor(() => {
    expect(ops().slice(1)).toEqual([
      { op: "rename", id: "subtopic-spelt", label: "Dinkel" },
      { op: "move", id: "subtopic-spelt", parent: "topic-tea" },
      { op: "connect", source: "subtopic-spelt", target: "subtopic-rye" },
      { op: "delete", id: "subtopic-spelt" },
    ]);
  });
});

test("a change is undone and done again", async () => {
  const { server, ops } = mapServer({ ...map, edits: 0 });
  serve(server);
  open(AT);
  const undo = await screen.findByRole("button", { name: "Undo" });
  expect(undo.getAttribute("aria-disabled")).toBe("true");
  fireEvent.keyDown(await node("Rye"), { key: "Delete" });
  await waitFor(() => {
    expect(undo.getAttribute("aria-disabled")).toBeNull();
  });
  fireEvent.keyDown(await node("Tea"), { key: "z", ctrlKey: true });
  await waitFor(() => {
    expect(ops()[1]).toEqual({ op: "undo", number: 1 });
  });
  await click("Redo");
  await waitFor(() => {
    expect(ops()[2]).toEqual({ op: "undo", number: 2 });
  });
});

test("a map that was changed elsewhere is shown as it is now, and the person is told", async () => {
  const asked = serve({ ...mapServer().server, [`PATCH ${PATH}/mindmap`]: problem(409, "map-changed") });
  open(AT);
  fireEvent.keyDown(await node("Rye"), { key: "Delete" });
  expect(await screen.findByText(/changed elsewhere in the meantime/)).toBeDefined();
  expect(asked.filter(({ method, path }) => method === "GET" && path === `${PATH}/mindmap`).length).toBe(2);
});

test("any other failure of a change is explained", async () => {
  serve({ ...mapServer().server, [`PATCH ${PATH}/mindmap`]: problem(422, "bad-edit") });
  open(AT);
  fireEvent.keyDown(await node("Rye"), { key: "Delete" });
  expect(await screen.findByText("The mind map can’t be edited like this.")).toBeDefined();
});

test("arrow keys go through both sides of the map, Enter opens, Space collapses", async () => {
  serve(mapServer().server);
  open(AT);
  const root = await node("A first sourdough");
  root.focus();
  fireEvent.keyDown(root, { key: "ArrowLeft" });
  expect(document.activeElement).toBe(await node("Tea"));
  fireEvent.keyDown(await node("Tea"), { key: "ArrowRight" }); // towards the root, from the left
  expect(document.activeElement).toBe(root);
  fireEvent.keyDown(root, { key: "ArrowRight" });
  fireEvent.keyDown(await node("Bread"), { key: "ArrowRight" });
  expect(document.activeElement).toBe(await node("Rye"));
  fireEvent.keyDown(await node("Rye"), { key: "ArrowDown" });
  expect(document.activeElement).toBe(await node("Spelt"));
  fireEvent.keyDown(await node("Spelt"), { key: "Enter" });
  expect(await screen.findByRole("region", { name: "Spelt" })).toBeDefined();
  fireEvent.keyDown(await node("Bread"), { key: " " });
  expect(screen.queryByRole("treeitem", { name: /^Rye/ })).toBeNull();
  expect((await node("Bread")).getAttribute("aria-expanded")).toBe("false");
});

test("levels are collapsed together, and a search opens what hides its matches", async () => {
  serve(mapServer().server);
  open(AT);
  fireEvent.change(await screen.findByLabelText("Levels"), { target: { value: "1" } });
  expect(screen.queryByRole("treeitem", { name: /^Rye/ })).toBeNull();
  await type("Find in map", "rye");
  expect(screen.getByText("1 match")).toBeDefined();
  fireEvent.keyDown(screen.getByLabelText("Find in map"), { key: "Enter" });
  expect((await node("Rye")).getAttribute("aria-selected")).toBe("true");
});

test("the list is the same tree, by the keys of a tree", async () => {
  serve(mapServer().server);
  open(AT);
  await click("List");
  const bread = await node("Bread");
  fireEvent.keyDown(bread, { key: "ArrowLeft" });
  expect(screen.queryByRole("treeitem", { name: /^Rye/ })).toBeNull();
  fireEvent.keyDown(bread, { key: "ArrowRight" });
  fireEvent.keyDown(bread, { key: "ArrowDown" });
  expect(document.activeElement).toBe(await node("Rye"));
  fireEvent.keyDown(await node("Rye"), { key: "F2" });
  expect(screen.getByRole("dialog", { name: "Rename" })).toBeDefined();
});

const pointer = (clientX: number, clientY: number) => ({
  pointerId: 1,
  button: 0,
  buttons: 1,
  clientX,
  clientY,
});

test("a node that is dragged is placed, or moved below the node that it is dropped on", async () => {
  const { server, ops } = mapServer();
  serve(server);
  open(AT);
  const tea = await node("Tea"); // drawn around (-146, 0); nothing is measured here, so the map isn't zoomed
  fireEvent.pointerDown(tea, pointer(-146, 0));
  fireEvent.pointerMove(tea, pointer(-146, 200));
  fireEvent.pointerUp(tea, pointer(-146, 200));
  await waitFor(() => {
    expect(ops()).toEqual([{ op: "place", id: "topic-tea", x: -146, y: 200 }]);
  });
  fireEvent.pointerDown(await node("Tea"), pointer(-146, 0));
  fireEvent.pointerMove(await node("Tea"), pointer(140, 2));
  fireEvent.pointerUp(await node("Tea"), pointer(140, 2));
  await waitFor(() => {
    expect(ops()[1]).toEqual({ op: "move", id: "topic-tea", parent: "topic-bread" });
  });
});

test("a drag that is cancelled changes nothing", async () => {
  const { server, ops } = mapServer();
  const asked = serve(server);
  open(AT);
  const tea = await node("Tea");
  fireEvent.pointerDown(tea, pointer(-146, 0));
  fireEvent.pointerMove(tea, pointer(-146, 200));
  fireEvent.keyDown(document.body, { key: "Escape" });
  fireEvent.pointerUp(tea, pointer(-146, 200));
  expect(tea.style.translate).toBe("");
  expect(ops()).toEqual([]);
  expect(sent(asked, "PATCH")).toEqual([]);
});

test("pointing at a visit lights its nodes", async () => {
  serve(mapServer().server);
  open(AT);
  const bread = await node("Bread");
  const row = (await screen.findByRole("link", { name: "Page 3" })).closest("li") as HTMLElement;
  fireEvent.pointerEnter(row);
  expect((await node("Tea")).dataset["lit"]).toBe("true");
  expect(bread.dataset["lit"]).toBeUndefined();
});

test("pointing at a topic lights its stretches in the strip, and shows what it is related to", async () => {
  const drawn: number[] = [];
  const context: Record<string, unknown> = {
    canvas: {},
    globalAlpha: 1,
    measureText: () => ({ width: 0 }),
    fillRect: () => drawn.push(Number(context["globalAlpha"])),
  };
  const canvas = new Proxy(context, { get: (it, name: string) => it[name] ?? (() => undefined) });
  const strip = vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(canvas as never);
  serve(mapServer().server);
  open(AT);
  const tea = await node("Tea");
  const related = () => document.querySelectorAll("path[d*=Q]");
  expect([Math.min(...drawn), related().length]).toEqual([1, 0]);
  drawn.length = 0;
  fireEvent.pointerOver(tea);
  await waitFor(() => {
    expect([...new Set(drawn)]).toHaveLength(2); // its own visit, and the fainter others
  });
  expect(related()).toHaveLength(1);
  strip.mockRestore();
});

test("all edits are removed only after a question", async () => {
  const { server } = mapServer({ ...map });
  const asked = serve({
    ...server,
    [`GET ${PATH}/mindmap`]: ok({ mindmap: { ...map, edits: 3 } }),
    [`DELETE ${PATH}/mindmap/edits`]: ok({ mindmap: map }),
  });
  open(AT);
  const section = await screen.findByRole("region", { name: "Mind map" });
  fireEvent.click(await within(section).findByRole("button", { name: "Export" }));
  await click("Remove all my edits");
  fireEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Remove all my edits" }));
  await waitFor(() => {
    expect(sent(asked, "DELETE")).toHaveLength(1);
  });
});

test("a file that can't be made is explained", async () => {
  serve({ ...mapServer().server, [`GET ${PATH}/mindmap/export`]: problem(404, "map-not-found") });
  open(AT);
  const section = await screen.findByRole("region", { name: "Mind map" });
  fireEvent.click(await within(section).findByRole("button", { name: "Export" }));
  await click("OPML outline");
  expect(await screen.findByText("This session doesn’t have a mind map yet.")).toBeDefined();
});

test("a label is text, whatever is in it", async () => {
  const label = "<img src=x onerror=alert(1)>";
  serve(mapServer({ ...map, nodes: [...map.nodes.slice(0, 4), nodeOf("subtopic-spelt", label)] }).server);
  open(AT);
  expect((await screen.findByText(label)).querySelector("img")).toBeNull();
});

test("a hidden map is not asked for, and stays hidden", async () => {
  const asked = serve(mapServer().server);
  open(AT);
  await node("Bread");
  await click("Hide map");
  expect(screen.queryByRole("tree")).toBeNull();
  expect(localStorage.getItem("mindhit.map")).toBe("closed");
  expect(asked.length).toBeGreaterThan(0);
});

test("a session without a map says why", async () => {
  serve({ ...mapServer().server, [`GET ${PATH}/mindmap`]: ok({ mindmap: null }) });
  open(AT);
  expect(await screen.findByText("This session doesn’t have a mind map.")).toBeDefined();
});

/**
 * A device with WatermelonDB's own client, driven by a test over its standard input and output, a line of JSON each.
 *
 *   node device.mjs ADDRESS TOKEN
 *
 *   {"do": "sync"}                                     → {"ok": true} or {"status": 409}
 *   {"do": "syncUntilPush"}                            → {"ok": true}: it has pulled, and not pushed yet
 *   {"do": "push"}                                     → what "sync" would answer
 *   {"do": "create", "table", "id"?, "values"}         → {"id"}
 *   {"do": "createMany", "table", "rows"}              → {"ok"}
 *   {"do": "update", "table", "id", "values"}          → {"ok"}
 *   {"do": "delete", "table", "id"}                    → {"ok"}
 *   {"do": "dump"}                                     → {"folders": [...], "pages": [...]}
 *   {"do": "reset"}                                    → {"ok"}
 */
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);
const { Database, Model, appSchema, tableSchema } = require("@nozbe/watermelondb");
const LokiJSAdapter = require("@nozbe/watermelondb/adapters/lokijs").default;
const { synchronize } = require("@nozbe/watermelondb/sync");
const { logger } = require("@nozbe/watermelondb/utils/common");
logger.silence();

const [address, token] = process.argv.slice(2);
const string = (name) => ({ name, type: "string", isOptional: true });
const number = (name) => ({ name, type: "number", isOptional: true });
const TABLES = {
  folders: [string("parent_id"), string("name"), number("position")],
  pages: [
    ...["folder_id", "kind", "address", "title", "note", "tags"].map(string),
    ...["description", "site_name", "summary", "keywords", "state"].map(string),
    ...["archived_at", "position"].map(number),
  ],
};
const TIMES = ["created_at", "updated_at"].map((name) => ({ name, type: "number" }));

const schema = appSchema({
  version: 1,
  tables: Object.entries(TABLES).map(([name, columns]) => tableSchema({ name, columns: [...columns, ...TIMES] })),
});
class Folder extends Model {
  static table = "folders";
}
class Page extends Model {
  static table = "pages";
}
const adapter = new LokiJSAdapter({ schema, useWebWorker: false, useIncrementalIndexedDB: false, dbName: "device" });
const database = new Database({ adapter, modelClasses: [Folder, Page] });

class Refused extends Error {
  constructor(status) {
    super(`the server answered ${status}`);
    this.status = status;
  }
}

async function call(path, options = {}) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const answer = await fetch(`${address}/v1/sync/${path}`, { headers, ...options });
  if (!answer.ok) throw new Refused(answer.status);
  return answer.json();
}

/** `beforePush` is waited for between pulling and pushing: there somebody else's push comes first. */
const sync = (beforePush) =>
  synchronize({
    database,
    sendCreatedAsUpdated: true,
    pullChanges: ({ lastPulledAt, schemaVersion, migration }) =>
      call(
        `pull?last_pulled_at=${lastPulledAt ?? ""}&schema_version=${schemaVersion}` +
          `&migration=${encodeURIComponent(JSON.stringify(migration))}`,
      ),
    pushChanges: async ({ changes, lastPulledAt }) => {
      await beforePush?.();
      await call(`push?last_pulled_at=${lastPulledAt}`, { method: "POST", body: JSON.stringify(changes) });
    },
  });

async function statusOf(syncing) {
  try {
    await syncing;
    return { ok: true };
  } catch (error) {
    if (error instanceof Refused) return { status: error.status };
    throw error;
  }
}

/** The sync that waits to push: how it goes on, and how it ends. */
let held;

const set = (record, values) => Object.entries(values).forEach(([name, value]) => record._setRaw(name, value));
const create = (table, { id, ...values }) =>
  database.get(table).prepareCreate((record) => {
    if (id) record._raw.id = id;
    set(record, values);
  });

const commands = {
  sync: () => statusOf(sync()),
  async syncUntilPush() {
    await new Promise((pulled) => {
      const mayPush = new Promise((go) => (held = { go }));
      held.ended = statusOf(
        sync(() => {
          pulled();
          return mayPush;
        }),
      );
      held.ended.finally(pulled);
    });
    return { ok: true };
  },
  async push() {
    held.go();
    return held.ended;
  },
  async create({ table, id, values }) {
    const record = create(table, { id, ...values });
    await database.write(() => database.batch(record));
    return { id: record.id };
  },
  async createMany({ table, rows }) {
    await database.write(() => database.batch(...rows.map((row) => create(table, row))));
    return { ok: true };
  },
  async update({ table, id, values }) {
    const record = await database.get(table).find(id);
    await database.write(() => record.update(() => set(record, values)));
    return { ok: true };
  },
  async delete({ table, id }) {
    const record = await database.get(table).find(id);
    await database.write(() => record.markAsDeleted());
    return { ok: true };
  },
  async dump() {
    const rows = async (table) => (await database.get(table).query().fetch()).map((record) => record._raw);
    return { folders: await rows("folders"), pages: await rows("pages") };
  },
  async reset() {
    await database.write(() => database.unsafeResetDatabase());
    return { ok: true };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  let answer;
  try {
    answer = await commands[command.do](command);
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);

/**
 * Pages that the user saves to the library. Each is stored before it is sent, and stays until the server has it or can
 * never read it. The server keeps a page of a folder once, and a reminder of a page once, so sending one twice does no harm.
 */
import type { Database } from "./database";
import { write } from "./database";
import type { Failure, Server } from "./server";

/** Store a page; one that is waiting already is not stored twice. A reminder that was asked for stays asked for. */
export async function keepSave(
  db: Database,
  owner: string,
  address: string,
  title: string,
  at: number,
  asked: { readonly reminds?: boolean } = {},
): Promise<void> {
  await write(db, async (tx) => {
    const saves = tx.objectStore("saves");
    const waiting = await saves.get([owner, address]);
    const reminds = asked.reminds === true || waiting?.reminds === true;
    await saves.put({ owner, address, title, at, ...(reminds && { reminds }) });
  });
}

/** Send the owner's pages, oldest first. Null if none is left that could be sent now, else what failed. */
export async function sendSaves(db: Database, server: Server, owner: string): Promise<Failure | null> {
  const waiting = (await db.getAll("saves")).filter((each) => each.owner === owner);
  waiting.sort((a, b) => a.at - b.at);
  for (const { address, title, reminds } of waiting) {
    const answer = await (reminds === true ? server.remind(address, title) : server.save(address, title));
    if (answer.kind === "ok" || answer.kind === "invalid" || answer.kind === "too-large")
      await write(db, (tx) => tx.objectStore("saves").delete([owner, address]));
    else return answer;
  }
  return null;
}

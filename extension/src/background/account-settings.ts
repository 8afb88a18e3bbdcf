/**
 * What the account says: the domains it excludes, the person's language and time zone.
 *
 * There is one list of excluded domains, the account's. A change made here applies at once, is kept until the server has
 * it, and is sent as a change: what other browsers change meanwhile stays. A domain that the server refuses stays excluded
 * in this browser only (`settings.excluded`), as do those that were entered before there was an account.
 */
import type { HttpServer, PersonSettings } from "../outbox/http";
import * as keys from "../storage/keys";

let last: Promise<unknown> = Promise.resolve();

/** One at a time: each reads, changes and writes the same keys. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work);
  last = done.catch(() => undefined);
  return done;
}

/** Exclude domains, or no longer. Applies at once; `syncAccount` tells the server. */
export function changeExclusions(add: readonly string[], remove: readonly string[]): Promise<void> {
  return inTurn(async () => {
    const changes = { ...(await keys.exclusionChanges.get()) };
    for (const domain of remove) changes[domain] = "remove";
    for (const domain of add) changes[domain] = "add";
    await keys.exclusionChanges.set(changes);
    const { excluded } = await keys.settings.get();
    const kept = excluded.filter((domain) => !remove.includes(domain));
    if (kept.length < excluded.length) await keys.settings.change({ excluded: kept });
  });
}

/** Send the changes, or ask for what others have changed. Without an answer, what is known applies. */
export function syncAccount(server: HttpServer): Promise<void> {
  return inTurn(async () => {
    await adoptLocal();
    const changes = await keys.exclusionChanges.get();
    if (Object.keys(changes).length === 0) {
      const me = await server.me();
      if (me.kind === "ok") await learn(me.value.settings);
    } else await sendChanges(server, changes);
  });
}

/** Domains that were entered before the account was connected, or before version 0.2, become the account's. */
async function adoptLocal(): Promise<void> {
  const [{ excluded }, changes, refused] = await Promise.all([
    keys.settings.get(),
    keys.exclusionChanges.get(),
    keys.refusedDomains.get(),
  ]);
  const own = excluded.filter((domain) => !refused.includes(domain));
  if (own.length === 0) return;
  await keys.exclusionChanges.set({
    ...Object.fromEntries(own.map((domain) => [domain, "add"])),
    ...changes,
  });
  await keys.settings.change({ excluded: excluded.filter((domain) => refused.includes(domain)) });
}

async function sendChanges(server: HttpServer, changes: keys.ExclusionChanges): Promise<void> {
  const [add, remove] = [of(changes, "add"), of(changes, "remove")];
  const answer = await server.changeExclusions(add, remove);
  if (answer.kind === "ok") {
    await learn(answer.value);
    await forgetChanges(changes);
  } else if (answer.kind === "invalid" && add.length + remove.length > 1) {
    // One of them is refused: each by itself, then.
    for (const domain of Object.keys(changes))
      await sendChanges(server, { [domain]: changes[domain] ?? "add" });
  } else if (answer.kind === "invalid" || answer.kind === "forbidden") await keepHere(changes);
}

/** The server will not take them. */
async function keepHere(changes: keys.ExclusionChanges): Promise<void> {
  const added = of(changes, "add");
  const { excluded } = await keys.settings.get();
  await keys.refusedDomains.set([...new Set([...(await keys.refusedDomains.get()), ...added])]);
  await keys.settings.change({ excluded: [...new Set([...excluded, ...added])].sort() });
  await forgetChanges(changes);
}

async function forgetChanges(sent: keys.ExclusionChanges): Promise<void> {
  const left = Object.entries(await keys.exclusionChanges.get()).filter(
    ([domain, how]) => sent[domain] !== how,
  );
  await keys.exclusionChanges.set(Object.fromEntries(left));
}

async function learn({ excluded_domains, language, timezone }: PersonSettings): Promise<void> {
  await keys.accountExcluded.set(excluded_domains);
  await keys.person.set({ language, timezone });
}

function of(changes: keys.ExclusionChanges, how: "add" | "remove"): string[] {
  return Object.keys(changes).filter((domain) => changes[domain] === how);
}

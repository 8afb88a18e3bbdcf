/**
 * Whose extension this is: the server, and the tokens for it. Both tokens change at each refresh, and an old one is good
 * for half a minute only; so that a refresh is under way is written down before it is asked for, and a worker that died
 * in its middle asks again as soon as it lives.
 */
export interface Account {
  readonly server: string;
  readonly userId: string;
  readonly email: string;
  readonly access: string;
  readonly refresh: string;
  readonly expiresAt: number;
  readonly isRefreshing: boolean;
  /** The server does not know these tokens any more. */
  readonly isSignedOut: boolean;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in_s: number;
}

export interface AccountStore {
  get(): Promise<Account | null>;
  set(account: Account): Promise<void>;
}

/** `null`: refused. Throws where the server cannot be reached. */
export type Renew = (server: string, refreshToken: string) => Promise<Tokens | null>;

const EARLY_MS = 60_000;

export function ownerOf({ server, userId }: Pick<Account, "server" | "userId">): string {
  return `${server} ${userId}`;
}

/** The server of an owner, who may be somebody else by now. */
export function serverOfOwner(owner: string): string {
  return owner.split(" ", 1)[0] ?? owner;
}

export function withTokens<T extends object>(account: T, tokens: Tokens, now: number) {
  return {
    ...account,
    access: tokens.access_token,
    refresh: tokens.refresh_token,
    expiresAt: now + tokens.expires_in_s * 1000,
    isRefreshing: false,
    isSignedOut: false,
  };
}

export class Authority {
  private renewing: Promise<Account | null> | null = null;
  private readonly store: AccountStore;
  private readonly renewal: Renew;
  private readonly now: () => number;

  constructor(store: AccountStore, renewal: Renew, now: () => number) {
    this.store = store;
    this.renewal = renewal;
    this.now = now;
  }

  /** An account with a token that is good for a while; null where the extension has to be connected anew. */
  async present(): Promise<Account | null> {
    const account = await this.store.get();
    if (account === null || account.isSignedOut) return null;
    const isStale = account.isRefreshing || this.now() > account.expiresAt - EARLY_MS;
    return isStale ? this.renew(account.access) : account;
  }

  /** New tokens in the place of those that were refused; whoever asks at the same time gets the same. */
  renew(refused: string): Promise<Account | null> {
    this.renewing ??= this.exchange(refused).finally(() => {
      this.renewing = null;
    });
    return this.renewing;
  }

  private async exchange(refused: string): Promise<Account | null> {
    const account = await this.store.get();
    if (account === null || account.isSignedOut) return null;
    if (account.access !== refused && !account.isRefreshing) return account; // somebody was faster
    await this.store.set({ ...account, isRefreshing: true });
    const tokens = await this.renewal(account.server, account.refresh);
    const changed =
      tokens === null
        ? { ...account, isRefreshing: false, isSignedOut: true }
        : withTokens(account, tokens, this.now());
    await this.store.set(changed);
    return tokens === null ? null : changed;
  }
}

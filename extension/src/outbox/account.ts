/**
 * The connected account: the server and the tokens for it. Both tokens change at each refresh, and the old ones work for
 * another half a minute only. So it is stored that a refresh is under way before it is requested, and a worker that was
 * stopped in between refreshes again as soon as it runs.
 */
export interface Account {
  readonly server: string;
  readonly userId: string;
  readonly email: string;
  readonly access: string;
  readonly refresh: string;
  readonly expiresAt: number;
  readonly isRefreshing: boolean;
  /** The server no longer accepts these tokens. */
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

/** `null`: refused. Throws if the server is unreachable. */
export type RefreshTokens = (server: string, refreshToken: string) => Promise<Tokens | null>;

/** Access tokens are refreshed this long before they expire. */
const REFRESH_EARLY_MS = 60_000;

export function ownerOf({ server, userId }: Pick<Account, "server" | "userId">): string {
  return `${server} ${userId}`;
}

/** The server of an owner, which may differ from the connected one. */
export function serverOfOwner(owner: string): string {
  return owner.split(" ", 1)[0] ?? owner;
}

/** A session's page in the web app of the server it belongs to. */
export function sessionLink(owner: string, id: string): string {
  return `${serverOfOwner(owner)}/sessions/${id}`;
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

export class TokenRefresher {
  private refreshing: Promise<Account | null> | null = null;
  private readonly store: AccountStore;
  private readonly request: RefreshTokens;
  private readonly now: () => number;

  constructor(store: AccountStore, request: RefreshTokens, now: () => number) {
    this.store = store;
    this.request = request;
    this.now = now;
  }

  /** The account with a valid access token; null if the extension has to be connected again. */
  async account(): Promise<Account | null> {
    const account = await this.store.get();
    if (account === null || account.isSignedOut) return null;
    const isStale = account.isRefreshing || this.now() > account.expiresAt - REFRESH_EARLY_MS;
    return isStale ? this.refresh(account.access) : account;
  }

  /** Replace an access token that was refused; concurrent callers get the same result. */
  refresh(refused: string): Promise<Account | null> {
    this.refreshing ??= this.exchange(refused).finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  private async exchange(refused: string): Promise<Account | null> {
    const account = await this.store.get();
    if (account === null || account.isSignedOut) return null;
    if (account.access !== refused && !account.isRefreshing) return account; // refreshed meanwhile
    await this.store.set({ ...account, isRefreshing: true });
    const tokens = await this.request(account.server, account.refresh);
    const changed =
      tokens === null
        ? { ...account, isRefreshing: false, isSignedOut: true }
        : withTokens(account, tokens, this.now());
    await this.store.set(changed);
    return tokens === null ? null : changed;
  }
}

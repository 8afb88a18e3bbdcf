/** Accounts over HTTP: one function per call that the screens make, and the names of what comes back. */
import type { components } from "@mindhit/client";
import { api } from "../api/client";
import { sendAll } from "../ui/deletions";

type Schemas = components["schemas"];
export type AuthOptions = Schemas["SignInOptions"];
export type Device = Schemas["Device"];
export type Invitation = Schemas["Invitation"];
export type Me = Schemas["Me"];
export type Person = Schemas["User"];
export type Scope = Schemas["TokenRequest"]["scopes"][number];
export type Settings = Schemas["Settings"];
export type UnsentMail = Schemas["KeptMail"];

const EVENTS_AT_ONCE = 20;

export const getAuth = (signal: AbortSignal) => api("get", "/v1/auth", { signal });
export const becomeOwner = (body: Schemas["OwnerClaim"]) => api("post", "/v1/auth/owner", { body });
export const signIn = (body: Schemas["Credentials"]) => api("post", "/v1/auth/sign-in", { body });
export const signUp = (body: Schemas["NewAccount"]) => api("post", "/v1/auth/sign-up", { body });
/** What was deleted a moment ago is deleted first: afterwards nobody may. */
export async function signOut(): Promise<void> {
  await sendAll();
  await api("post", "/v1/auth/sign-out");
}
export const confirm = (token: string) => api("post", "/v1/auth/confirm", { body: { token } });
export const askReset = (email: string) => api("post", "/v1/auth/reset", { body: { email } });
export const choosePassword = (body: Schemas["NewPassword"]) =>
  api("post", "/v1/auth/reset/confirm", { body });

export const getMe = (signal: AbortSignal) => api("get", "/v1/me", { signal });
// The generated type asks for every setting, because each has a default; the server takes any of them.
export const changeSettings = (body: Partial<Settings>) =>
  api("patch", "/v1/me/settings", { body: body as Schemas["SettingsChange"] });
/** More domains that are left out, or fewer; those that another browser added meanwhile stay. */
export const changeDomains = (body: { add?: readonly string[]; remove?: readonly string[] }) =>
  api("patch", "/v1/me/excluded-domains", { body: body as Schemas["DomainsChange"] });
export const changePassword = (body: Schemas["PasswordChange"]) => api("post", "/v1/me/password", { body });
export const changeEmail = (body: Schemas["EmailChange"]) => api("post", "/v1/me/email", { body });
export const askVerify = () => api("post", "/v1/me/verify");
export const getEvents = (cursor: string | null, signal: AbortSignal) =>
  api("get", "/v1/me/events", { query: { cursor, limit: EVENTS_AT_ONCE }, signal });
export const erase = (body: Schemas["EraseRequest"]) => api("post", "/v1/me/erase", { body });

export const getDevices = (cursor: string | null, signal: AbortSignal) =>
  api("get", "/v1/devices", { query: { cursor }, signal });
export const revokeDevice = (device_id: string) =>
  api("delete", "/v1/devices/{device_id}", { path: { device_id } });
export const makeToken = (body: Schemas["TokenRequest"]) => api("post", "/v1/tokens", { body });

export const getConnection = (user_code: string, signal: AbortSignal) =>
  api("get", "/v1/connect/{user_code}", { path: { user_code }, signal });
export const decideConnection = (user_code: string, decision: Schemas["Decision"]["decision"]) =>
  api("post", "/v1/connect/{user_code}", { path: { user_code }, body: { decision } });

export const getPeople = (cursor: string | null, signal: AbortSignal) =>
  api("get", "/v1/admin/users", { query: { cursor }, signal });
export const addPerson = (email: string) => api("post", "/v1/admin/users", { body: { email } });
export const getMails = (cursor: string | null, signal: AbortSignal) =>
  api("get", "/v1/admin/mails", { query: { cursor }, signal });
export const dropMail = (mail_id: number) =>
  api("delete", "/v1/admin/mails/{mail_id}", { path: { mail_id } });

/** Where the browser goes to sign in with the identity provider. */
export function oidcStart(query: { next: string; timezone: string; language: string }): string {
  return `/v1/auth/oidc/start?${new URLSearchParams(query).toString()}`;
}

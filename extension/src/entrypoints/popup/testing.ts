/** For tests: the status of a connected extension that is not recording. */
import type { Status } from "../../messages";

export const READY: Status = {
  account: { server: "http://server", email: "a@b", isSignedOut: false },
  connecting: null,
  isPermitted: true,
  recording: null,
  isAutomatic: false,
  isHeld: false,
  pause: null,
  isStopping: false,
  unsent: 0,
  unsentElsewhere: 0,
  unsentPages: 0,
  isOffline: false,
  refusal: null,
  outcome: null,
  isStorageLow: false,
  storageUsed: 0,
};
export const recording = {
  link: "http://server/sessions/now",
  startedAt: 1,
  lastAt: 2,
  pages: 3,
  highlights: 4,
  isInterrupted: false,
  isByItself: false,
  name: null,
};

/** What can go wrong. `problems` is by the last word of a problem's type; what is not here is told in the server's own words. */
export const problems = {
  failure: {
    away: "The server does not answer. Nothing is lost; try again in a moment.",
    retry: "Try again",
    tooMany: "Too many tries. Wait a little, then try again.",
    tooManySeconds: "Too many tries. Try again in {{seconds}} s.",
    tooManyMinutes: "Too many tries. Try again in {{minutes}} minutes.",
    screen:
      "This screen could not be shown. Perhaps the server was upgraded meanwhile; loading the page anew helps.",
    reload: "Load anew",
  },
  problems: {
    "title-changed": "It was given another title meanwhile.",
    "session-not-found": "There is no such session. Perhaps it was deleted, here or elsewhere.",
    "job-not-found": "This job is gone already.",
    "wrong-credentials": "The address or the password is not right.",
    "wrong-password": "The password is not right.",
    "link-not-valid": "This link is not valid, or not any more. Ask for a new one.",
    "sign-up-closed": "Sign-up is closed on this server; its owner can add people.",
    "passwords-off": "This server takes no passwords; sign in through its identity provider.",
    "owner-exists": "This server has its owner already.",
    "owner-only": "Only the owner of this server may do that.",
    "owner-needed": "The owner cannot leave while other people are on this server.",
    "person-exists": "There is somebody with this address already.",
    "bad-address": "This is not an email address.",
    "wrong-confirmation": "That is not the address of this account.",
    "foreign-origin":
      "The server takes this page for another site’s. Whoever runs it: is its public address the one in the address bar?",
    "device-not-found": "This device is not connected any more.",
    "kept-mail-not-found": "This mail is gone already.",
    "connection-not-found": "There is no such code, or its time is over. Start again in the extension.",
  },
} as const;

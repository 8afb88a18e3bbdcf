import { UnsentMails } from "./unsent-mails";
import { Users } from "./users";

/** For the owner: who is on this server, and what it couldn't send. */
export function ServerSection() {
  return (
    <>
      <Users />
      <UnsentMails />
    </>
  );
}

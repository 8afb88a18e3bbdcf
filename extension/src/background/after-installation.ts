/** What happens when the extension was installed, or replaced by a newer version. */
import { createMenu } from "./context-menu";
import { openSetup, type Controls } from "./controls";
import { logError } from "./log-error";

/** Right after its installation a tab leads through connecting it. */
export function afterInstallation(controls: Controls, reason: string): void {
  createMenu();
  void controls.installed(reason === "update").catch(logError);
  if (reason === "install") void openSetup();
}

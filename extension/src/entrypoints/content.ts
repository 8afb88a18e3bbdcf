import { defineContentScript } from "wxt/utils/define-content-script";
import { watchPage } from "../content";

// Registered at run time for the permitted sites. A pattern here would become a required permission.
export default defineContentScript({ matches: [], registration: "runtime", main: watchPage });

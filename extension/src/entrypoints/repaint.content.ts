import { defineContentScript } from "wxt/utils/define-content-script";
import { repaintPage } from "../content/repaint";

// Registered at run time, for the permitted sites, if it is turned on. A pattern here would become a required permission.
export default defineContentScript({ matches: [], registration: "runtime", main: repaintPage });

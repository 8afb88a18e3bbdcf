/** The one API client of the app. Answers that public/prefetch.js already asked for are taken from there. */
import { createApi } from "@mindhit/client";
import { fetchPrefetched } from "./prefetch";

export const api = createApi("", undefined, fetchPrefetched);

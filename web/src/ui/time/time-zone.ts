/** The time zone in which times are shown; undefined is the browser's own. */
import { createContext } from "react";

export const TimeZoneContext = createContext<string | undefined>(undefined);

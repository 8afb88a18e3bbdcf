/**
 * What the web app says of the API's answers, by its own functions: sessions in the list, and the charts of days.
 * `tests/cli/test_agreement.py` bundles this, gives it the answers in a file, and reads the words from another.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { translator } from "./i18n/translate";
import { pagesOf, timeOf } from "./overview/session-figures";
import { sharesOf } from "./overview/time-spent/chart-data";
import type { Day, Summary } from "./session/api";

interface Answers {
  readonly sessions: readonly Summary[];
  readonly charts: readonly (readonly Day[])[];
}

const t = translator("en");
const { sessions, charts } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Answers;
const said = {
  sessions: sessions.map((session) => ({
    id: session.id,
    pages: pagesOf(session, t),
    time: timeOf(session, session.total_duration_ms, t),
  })),
  charts: charts.map((days) => {
    const { total, parts, days: bars } = sharesOf(days);
    return {
      total,
      parts: parts.map(({ minutes }) => minutes),
      days: bars.map(({ minutes, parts: pieces }) => ({
        minutes,
        parts: pieces.map((each) => each.minutes),
      })),
    };
  }),
};
writeFileSync(process.argv[3] ?? "", JSON.stringify(said));

/** Report ids: the content script's random id and a running number, `k3x9 1`, `k3x9 2`. They identify repetitions. */
import type { Observation, Report, Shown } from "./observations";

export interface ReportId {
  readonly script: string;
  readonly number: number;
}

export function parseReportId(id: string): ReportId {
  const [script = "", number] = id.split(" ");
  return { script, number: Number(number ?? 0) };
}

/** How many content scripts' last reports are remembered. A page's leftover reports arrive before this many others report. */
export const SCRIPTS_REMEMBERED = 64;

/** Whether a report was processed already, given the last one of each script. */
export function isProcessed(last: readonly string[], id: string): boolean {
  const { script, number } = parseReportId(id);
  return last.map(parseReportId).some((each) => each.script === script && number <= each.number);
}

export function withProcessed(last: readonly string[], id: string): readonly string[] {
  const { script } = parseReportId(id);
  return [...last.filter((each) => parseReportId(each).script !== script), id].slice(-SCRIPTS_REMEMBERED);
}

/** Whether it came from a content script, which repeats it until it is answered. */
export function isReport(observation: Observation): observation is Report & { readonly reportId: string } {
  return "reportId" in observation && observation.reportId !== undefined;
}

/** Whether a page reports that it has just become visible. */
export function isActivationReport(observation: Observation): observation is Shown {
  return observation.kind === "shown" && !observation.isFirst;
}

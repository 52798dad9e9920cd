export type Level = "ok" | "warning" | "failure";

/** A line of the doctor's report. */
export interface Finding {
  readonly check: string;
  readonly level: Level;
  readonly detail: string;
  /** The remedy; may be empty. */
  readonly remedy: string;
}

export function finding(check: string, level: Level, detail: string, remedy = ""): Finding {
  return { check, level, detail, remedy };
}

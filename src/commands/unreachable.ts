import { causeOfConnection } from "../base/connection-cause.ts";
import { type Finding, finding, type Level } from "./finding.ts";

/** Replies of PostgreSQL to a connection (PostgreSQL manual, appendix A). */
const REMEDIES: Readonly<Record<string, string>> = {
  "28P01": "check user and password of the URL; in a password, / ? # % @ are written %2F %3F %23 %25 %40",
  "28000": "permit user, database and address in pg_hba.conf, and check whether the server needs sslmode=require",
  "3D000": "create the database, or correct its name in the URL",
  "53300": "raise max_connections or the connection limit of the role, or lower SERVICE_DATABASE_POOL",
  "57P03": "wait until the server has started",
};
/** The driver found no server with the state of `target_session_attrs`, and gave up. */
const NO_TARGET = "CONNECTION_DESTROYED";

/** The finding of a PostgreSQL that cannot be used: the cause by name, and the next step. */
export function unreachable(check: string, level: Level, error: unknown): Finding {
  const { code = "", message = "" } = error instanceof Error ? (error as Error & { code?: string }) : {};
  const reply = REMEDIES[code];
  if (reply) return finding(check, level, message, reply);
  if (code === NO_TARGET)
    return finding(
      check,
      level,
      "no server has the state of target_session_attrs",
      "correct the hosts or the parameter",
    );
  const known = causeOfConnection(error);
  if (known) return finding(check, level, message ? `${known.cause} (${message})` : known.cause, known.remedy);
  return finding(check, level, message || "cannot be reached", "check the URL, and that the server runs");
}

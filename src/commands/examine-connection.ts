/**
 * The findings of `doctor` about the connection to PostgreSQL: server, pooler, settings, and the URL for migrations.
 */
import { type RoleReport, type UnmetRequirement, unmetRequirementsOf } from "../../db/migrate.ts";
import type { Clock } from "../base/clock.ts";
import {
  type ConnectionReport,
  inspectClock,
  inspectConnection,
  inspectServer,
  inspectStandby,
  type ServerReport,
  type SettingMismatch,
  sessionSettingMismatches,
} from "../database/connection-report.ts";
import type { Pooler } from "../database/database.ts";
import { CLOCK_SKEW_SECONDS } from "../limits/limits.ts";
import { type Finding, finding } from "./finding.ts";
import { unreachable } from "./unreachable.ts";

export interface DatabaseSettings {
  readonly url: string;
  readonly pooler: Pooler;
  readonly migrationUrl: string | undefined;
  readonly readUrl: string | undefined;
  /** Connections of a process, and processes of a replica. */
  readonly connections: number;
  readonly processes: number;
  /** The clock of this host. */
  readonly clock: Pick<Clock, "now">;
}

const DIRECT = "remove the settings from DATABASE_URL, and let nothing between service and PostgreSQL ignore them";
const MIGRATE = "npm run service -- migrate; then let the pooler open new connections (PgBouncer: RECONNECT)";

/** Rejects when the database cannot be reached. */
export async function examineConnection(settings: DatabaseSettings): Promise<Finding[]> {
  const { url, pooler, migrationUrl, readUrl } = settings;
  const report = await inspectConnection(url);
  const requirements = await examineRequirements(settings, report.version);
  const connection = [...requirements, poolerFinding(pooler, report.pooler)];
  const sound = connection.every(({ level }) => level !== "failure");
  return [
    ...connection,
    ...(sound ? await examineSettings(settings) : []),
    clockFinding(await inspectClock(url, settings.clock)),
    ...(migrationUrl ? await examineMigrationUrl(migrationUrl, report) : []),
    ...(readUrl ? [await examineReadUrl(url, readUrl)] : []),
  ];
}

/** Tokens and expiry follow the clock of a replica, leases and the audit log follow the clock of PostgreSQL. */
function clockFinding(aheadMs: number): Finding {
  const check = "clock";
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= CLOCK_SKEW_SECONDS * 1000)
    return finding(check, "ok", `within ${CLOCK_SKEW_SECONDS} s of PostgreSQL's`);
  const detail = `${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} PostgreSQL's: other hosts refuse new tokens`;
  return finding(check, "failure", detail, "synchronize the clocks of both hosts (NTP, timedatectl status)");
}

/** The requirements of the database; with SERVICE_MIGRATION_URL another role creates the tables. */
async function examineRequirements({ url, migrationUrl }: DatabaseSettings, version: string): Promise<Finding[]> {
  const unmet = await unmetRequirementsOf(url, migrationUrl ? "nothing" : "missing tables");
  const isOld = unmet.some(({ check }) => check === "PostgreSQL");
  return [...(isOld ? [] : [finding("PostgreSQL", "ok", version)]), ...unmet.map(failureOf)];
}

const failureOf = ({ check, detail, remedy }: UnmetRequirement) => finding(check, "failure", detail, remedy);

/** Compares SERVICE_DATABASE_POOLER with the detected pooler. */
export function poolerFinding(configured: Pooler, found: Pooler): Finding {
  const check = "pooler";
  if (configured === "none" && found !== "none") {
    const detail = `connected through a pooler in ${found} mode, and SERVICE_DATABASE_POOLER is none`;
    return finding(check, "failure", detail, `set SERVICE_DATABASE_POOLER=${found}, and run migrate`);
  }
  if (configured === "session" && found === "transaction") {
    const detail = "connected through a pooler in transaction mode, and SERVICE_DATABASE_POOLER is session";
    return finding(check, "failure", detail, "set SERVICE_DATABASE_POOLER=transaction");
  }
  if (found === "none") {
    const detail = "connected to the server itself";
    const remedy = "set SERVICE_DATABASE_POOLER=none: unprepared statements cost more";
    return configured === "transaction" ? finding(check, "warning", detail, remedy) : finding(check, "ok", detail);
  }
  const remedy = configured === "transaction" ? "in session mode, set SERVICE_DATABASE_POOLER=session" : "";
  return configured === found
    ? finding(check, "ok", `connected through a pooler in ${found} mode`)
    : finding(check, "warning", "connected through a pooler that does not look like transaction mode", remedy);
}

/**
 * A replica needs privileges of rows alone: an attacker with the replica's password can then neither drop nor alter a
 * table.
 */
export function roleFinding({ name, isSuperuser, ownedTables }: RoleReport): Finding {
  const check = "database role";
  const remedy = "let replicas connect as a role of ops/postgres/roles.sql, and set SERVICE_MIGRATION_URL for migrate";
  if (isSuperuser) return finding(check, "warning", `${name} is a superuser`, remedy);
  if (ownedTables > 0) return finding(check, "warning", `${name} owns ${ownedTables} tables of the service`, remedy);
  return finding(check, "ok", `${name} owns no table`);
}

async function examineSettings(settings: DatabaseSettings): Promise<Finding[]> {
  const { url, pooler } = settings;
  const check = "session settings";
  try {
    const mismatches = await sessionSettingMismatches(url, pooler);
    const { unsound, connections } = await inspectServer(url, pooler);
    return [
      mismatches.length === 0
        ? finding(check, "ok", "in force")
        : finding(check, "failure", mismatches.map(describeMismatch).join(", "), pooler === "none" ? DIRECT : MIGRATE),
      ...unsound.map(({ name, found, level, effect, remedy }) =>
        finding(name, level, `${found || "empty"}: ${effect}`, remedy),
      ),
      ...(pooler === "none" ? [connectionsFinding(settings, connections)] : []),
    ];
  } catch (error) {
    return [
      finding(check, "failure", error instanceof Error ? error.message : "cannot be read", "see the server's log"),
    ];
  }
}

const describeMismatch = ({ name, found, expected }: SettingMismatch) =>
  `${name} is ${found || "empty"}, not ${expected}`;

/** Compares the pools of a replica with the limits of PostgreSQL. Behind a pooler, the pooler has the connections. */
function connectionsFinding(
  { connections, processes }: Pick<DatabaseSettings, "connections" | "processes">,
  { limit, setting }: ServerReport["connections"],
): Finding {
  const needed = connections * processes;
  const detail = `${limit} connections, and a replica opens up to ${needed}`;
  const remedy = "raise it, or lower SERVICE_DATABASE_POOL";
  return needed > limit ? finding(setting, "failure", detail, remedy) : finding(setting, "ok", detail);
}

async function examineMigrationUrl(url: string, service: ConnectionReport): Promise<Finding[]> {
  const check = "SERVICE_MIGRATION_URL";
  try {
    const { database } = await inspectConnection(url);
    if (database !== service.database)
      return [finding(check, "failure", "leads to another database than DATABASE_URL", "correct it")];
    const unmet = await unmetRequirementsOf(url, "tables");
    return [
      finding(check, "ok", "leads to the same database"),
      ...unmet.filter(({ check }) => check === "schema" || check === "extension pg_trgm").map(failureOf),
    ];
  } catch (error) {
    return [unreachable(check, "failure", error)];
  }
}

/** A standby that is unavailable or behind only loses its use: lists are then read from the primary. */
async function examineReadUrl(primaryUrl: string, url: string): Promise<Finding> {
  const check = "DATABASE_READ_URL";
  try {
    const found = await inspectStandby(primaryUrl, url);
    if (!found) return finding(check, "failure", "leads to a server that is no standby", "correct it, or unset it");
    const [ours, theirs] = [found.written.history.split("/"), found.replayed.history.split("/")];
    if (ours[0] !== theirs[0])
      return finding(check, "failure", "leads to a standby of another server than DATABASE_URL", "correct it");
    if (ours[1] !== theirs[1])
      return finding(check, "warning", "the standby is on an older timeline", "wait for its next restartpoint");
    const behind = found.written.lsn > found.replayed.lsn ? found.written.lsn - found.replayed.lsn : 0n;
    return finding(check, "ok", `a standby, ${behind} bytes of log behind`);
  } catch (error) {
    const { detail, remedy } = unreachable(check, "warning", error);
    return finding(check, "warning", `lists are read from the primary: ${detail}`, remedy);
  }
}

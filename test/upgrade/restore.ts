/**
 * A base backup with archived WAL, and a restore to a point in time (G40): a session revoked before the point stays
 * revoked, an acknowledged result from before the point exists, and a checkpoint of the transparency log from before
 * the point proves the same records.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { startEmbeddedPostgres } from "../../db/embedded.ts";
import { registered, signedIn } from "../support/client.ts";
import { forTheRun, startReplica } from "../support/replica.ts";
import { copyWhileRunning, writeToCluster } from "../support/standby.ts";
import { eventually } from "../support/waiting.ts";
import { type Auditor, contradictions, keepProofs } from "./restored-proofs.ts";

const POINT = "rehearsal";
const ARCHIVE = "archive";
const DEADLINE_MS = 120_000;

/** Turns the archive of WAL on; the server must be restarted. */
export async function archiveWal(directory: string, url: string): Promise<void> {
  const archive = join(directory, ARCHIVE);
  mkdirSync(archive);
  Bun.spawnSync(["chown", "--reference", join(directory, "postgres"), archive]);
  const sql = postgres(url, { max: 1 });
  await sql.unsafe("alter system set archive_mode = on");
  await sql.unsafe(`alter system set archive_command = 'cp %p ${archive}/%f'`);
  await sql.end();
}

/** Returns a line for every violation. */
export async function rehearseRestore(directory: string, url: string, serviceUrl: string): Promise<string[]> {
  const backup = join(directory, "backup");
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await copyWhileRunning(url, directory, backup);
    const revoked = await registered(serviceUrl);
    const live = await signedIn(serviceUrl, revoked.email);
    await revoked.client.post("/v1/auth/logout", undefined, { documented: false });
    const auditor = await keepProofs(sql, serviceUrl, revoked.userId);
    await sql`select pg_create_restore_point(${POINT})`;
    const later = await registered(serviceUrl);
    const [switched] = await sql`select pg_walfile_name(pg_switch_wal()) as file`;
    const archive = join(directory, ARCHIVE);
    await eventually("the archive is complete", DEADLINE_MS, async () => existsSync(join(archive, switched?.file)));
    return await inspect(backup, archive, { revoked, live: live.client, later, auditor });
  } finally {
    await sql.end();
  }
}

interface People {
  readonly revoked: Awaited<ReturnType<typeof registered>>;
  readonly live: Awaited<ReturnType<typeof registered>>["client"];
  readonly later: Awaited<ReturnType<typeof registered>>;
  readonly auditor: Auditor;
}

/** Recovers the backup to the point, and starts a replica on the restored database. */
async function inspect(backup: string, archive: string, people: People): Promise<string[]> {
  const { revoked, live, later, auditor } = people;
  const cluster = join(backup, "postgres");
  const settings = [
    `restore_command = 'cp ${archive}/%f %p'`,
    `recovery_target_name = '${POINT}'`,
    "recovery_target_action = 'promote'",
  ];
  writeToCluster(cluster, "postgresql.auto.conf", `${settings.join("\n")}\n`);
  writeToCluster(cluster, "recovery.signal", "");
  const restored = await startEmbeddedPostgres({
    directory: backup,
    durable: true,
    maxConnections: 100,
    onLog: () => undefined,
  });
  const sql = postgres(restored.url, { max: 1, onnotice: () => undefined });
  try {
    await eventually("the restored server accepts writes", DEADLINE_MS, async () => {
      const [row] = await sql`select pg_is_in_recovery() as recovering`;
      return row?.recovering === false;
    });
    const replica = await forTheRun(() => startReplica({ DATABASE_URL: restored.url }));
    const statusOf = async (client: People["live"]) =>
      (await client.at(replica.url).get("/v1/auth/session", { documented: false })).status;
    const [lost] = await sql`select count(*)::int as count from users where id = ${later.userId}`;
    const [kept] = await sql`
      select count(*)::int as count from audit_logs where action = 'auth.register' and actor_id = ${revoked.userId}`;
    const violations = [
      ...((await statusOf(live)) === 200 ? [] : ["restore: a live session is refused"]),
      ...((await statusOf(revoked.client)) === 401 ? [] : ["restore: a revoked session is accepted"]),
      ...(kept?.count === 1 ? [] : ["restore: a record from before the point is lost"]),
      ...(lost?.count === 0 ? [] : ["restore: a user from after the point exists"]),
      ...(await contradictions(sql, replica.url, auditor)),
    ];
    await replica.stop();
    return violations;
  } finally {
    await sql.end();
    await restored.stop();
  }
}

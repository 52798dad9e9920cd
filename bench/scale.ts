/** A small and a large seeded database, created once per run. */
import postgres from "postgres";
import { migrate } from "../db/migrate.ts";
import { type Bench, createDatabase, PASSWORD } from "./harness.ts";
import { seed, seededEmail } from "./seed.ts";

/**
 * From now on no replica can take the lease of the sequencer, so that no replica appends to the transparency log. A
 * lease of a holder that does not exist would count as ended, unless its end is near.
 */
export const WITHOUT_SEQUENCER = `
  delete from leases where name = 'audit-log-sequencer';
  create or replace function discard_row() returns trigger language plpgsql as 'begin return null; end';
  create or replace trigger without_sequencer before insert on leases
    for each row when (new.name = 'audit-log-sequencer') execute function discard_row()`;
export const WITH_SEQUENCER = "drop trigger if exists without_sequencer on leases";

export const SMALL = { users: 1_000, auditRows: 10_000 };

let made: Promise<{ small: string; large: string }> | undefined;

/** Called before a run, because each run has a separate server. */
export function forgetSeededDatabases(): void {
  made = undefined;
}

export function seededDatabases(bench: Bench): Promise<{ small: string; large: string }> {
  made ??= make(bench);
  return made;
}

async function make(bench: Bench): Promise<{ small: string; large: string }> {
  const passwordHash = await Bun.password.hash(PASSWORD, { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 });
  const small = await freshDatabase(bench, "scale_small");
  await seed(small, SMALL.users, SMALL.auditRows, passwordHash);
  const large = await freshDatabase(bench, "scale_large");
  // A replica that appends a million seeded records to the transparency log is busy for minutes.
  for (const databaseUrl of [small, large]) await withoutSequencer(databaseUrl);
  const seconds = await seed(large, bench.scale.users, bench.scale.auditRows, passwordHash);
  console.error(
    `seeded ${bench.scale.users} users and ${bench.scale.auditRows} audit rows in ${Math.round(seconds)} s`,
  );
  return { small, large };
}

async function withoutSequencer(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 });
  await sql.unsafe(WITHOUT_SEQUENCER);
  await sql.end();
}

/** Creates an empty, migrated database on the server of the benchmark. */
export async function freshDatabase(bench: Pick<Bench, "databaseUrl">, name: string): Promise<string> {
  const url = await createDatabase(bench.databaseUrl, name);
  await migrate(url);
  return url;
}

/** Makes the first seeded user a platform owner, signs in as that user and returns the access token. */
export async function signInAsOwner(serviceUrl: string, databaseUrl: string): Promise<string> {
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`update users set platform_role = 'owner' where email = ${seededEmail(0)}`;
  const response = await signIn(serviceUrl, seededEmail(0));
  const body = (await response.json()) as { access_token: string };
  // A platform role requires a second factor, which the seeded users do not have.
  await sql`update sessions set aal = 'aal2' where user_id = (select id from users where email = ${seededEmail(0)})`;
  await sql.end();
  return body.access_token;
}

export function signIn(serviceUrl: string, email: string): Promise<Response> {
  const body = JSON.stringify({ email, password: PASSWORD });
  return fetch(`${serviceUrl}/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
}

import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runService } from "../support/replica.ts";
import { freshDatabase, openSql, stopLater } from "../support/services.ts";

const ERASED = "01900000-0000-7000-8000-000000000001";
const KEPT = "01900000-0000-7000-8000-000000000002";
const ORGANIZATION = "01900000-0000-7000-8000-000000000003";
const PENDING = "01900000-0000-7000-8000-000000000004";
const CONNECTION = "01900000-0000-7000-8000-000000000005";
const ADDRESS = "zebulon@example.test";

let sql: ReturnType<typeof openSql>;
let directory: string;
let env: { DATABASE_URL: string };
beforeAll(async () => {
  env = { DATABASE_URL: await freshDatabase() };
  sql = openSql(env.DATABASE_URL);
  directory = mkdtempSync(join(tmpdir(), "identity-deletions-"));
  stopLater(() => rmSync(directory, { recursive: true, force: true }));
});

const run = (...args: string[]) => runService(args, env);
const users = async () => (await sql`select id from users order by id`).map(({ id }) => id);
const addressRows = async () => {
  const [{ count }] = (await sql`
    select (select count(*) from users where email = ${ADDRESS})
      + (select count(*) from user_emails where email = ${ADDRESS})
      + (select count(*) from invitations where email = ${ADDRESS})
      + (select count(*) from sso_attempts where email = ${ADDRESS}) as count`) as [{ count: string }];
  return Number(count);
};

/** A foreign organization with attempts of single sign-on by the address. */
async function attempts(): Promise<void> {
  const [organization] = await sql<{ id: string }[]>`
    insert into organizations (id, name, slug, tier, created_at, updated_at)
    values (gen_random_uuid(), 'Kept', 'kept', 'standard', now(), now()) returning id`;
  await sql`
    insert into sso_connections (id, organization_id, protocol, name, preset, status, config, revision, created_at,
                                 updated_at)
    values (${CONNECTION}, ${organization?.id ?? ""}, 'oidc', 'Kept', 'generic', 'active', '{}', 1, now(), now())`;
  await sql`
    insert into sso_attempts (id, connection_id, at, outcome, reason, step, requested, email, request_id, user_id)
    values
      (gen_random_uuid(), ${CONNECTION}, now(), 'success', null, 'complete', true, ${ADDRESS}, 'r', ${ERASED}),
      (gen_random_uuid(), ${CONNECTION}, now(), 'failure', 'mapping', 'complete', true, ${ADDRESS}, 'r', null),
      (gen_random_uuid(), ${CONNECTION}, now(), 'success', null, 'complete', true, 'kept@example.test', 'r', ${KEPT})`;
}

/** The rows of a backup from before the erasures. */
async function restore(): Promise<void> {
  await sql`
    insert into users (id, email, email_verified_at, display_name, created_at, updated_at) values
      (${ERASED}, ${ADDRESS}, now(), 'Zebulon', now(), now()),
      (${KEPT}, 'kept@example.test', now(), 'Kept', now(), now()),
      (${PENDING}, 'pending@example.test', now(), 'Pending', now(), now())
    on conflict do nothing`;
  await sql`
    insert into organizations (id, name, slug, tier, created_at, updated_at)
    values (${ORGANIZATION}, 'Zebulon', 'zebulon', 'standard', now(), now()) on conflict do nothing`;
  await sql`insert into members (organization_id, user_id, role, joined_at)
    values (${ORGANIZATION}, ${ERASED}, 'owner', now()) on conflict do nothing`;
}

describe("deletions export and deletions replay", () => {
  test("A replayed log erases users and organizations of a restored backup, repeatably (G133)", async () => {
    const file = join(directory, "deletions.ndjson");
    await sql`
      insert into deletions (id, subject_type, subject_id, closed_otherwise, requested_at, due_at, erased_at) values
        (gen_random_uuid(), 'user', ${ERASED}, false, now(), now(), now()),
        (gen_random_uuid(), 'organization', ${ORGANIZATION}, false, now(), now(), now()),
        (gen_random_uuid(), 'user', ${PENDING}, false, now(), now() + interval '14 days', null)`;
    const exported = await run("deletions", "export", file);
    expect([exported.code, exported.output]).toEqual([0, expect.stringContaining("2 erased users and organizations")]);
    const lines = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(2);
    expect(lines).toContainEqual({ subject_type: "user", subject_id: ERASED });
    expect(lines).toContainEqual({ subject_type: "organization", subject_id: ORGANIZATION });
    // The backup is older than the requests: neither tombstones nor pending deletions of the erased subjects.
    await sql`delete from deletions where erased_at is not null`;
    await restore();
    await attempts();
    expect(await addressRows()).toBe(4);
    for (const command of ["deletions", "erasures"]) {
      const replayed = await run(command, "replay", file);
      expect([replayed.code, replayed.output]).toEqual([
        0,
        expect.stringContaining("2 users and organizations are erased"),
      ]);
      expect(await users()).toEqual([KEPT, PENDING]);
      expect(await addressRows()).toBe(0);
      expect(await sql`select 1 from organizations where id = ${ORGANIZATION}`).toHaveLength(0);
    }
    const attempted = await sql`select email from sso_attempts where email is not null`;
    expect(attempted.map(({ email }) => email)).toEqual(["kept@example.test"]);
    const records = await sql`select action, resource_id from audit_logs where action like '%.deleted' order by action`;
    expect(records.map(({ action, resource_id }) => [action, resource_id])).toEqual([
      ["organization.deleted", ORGANIZATION],
      ["user.deleted", ERASED],
    ]);
    // Tombstones are complete again, so the next log names the subjects too, and a second restore is erased again.
    await restore();
    expect((await run("deletions", "export", file)).output).toContain("2 erased");
    expect((await run("deletions", "replay", file)).code).toBe(0);
    expect(await users()).toEqual([KEPT, PENDING]);
  });

  test("A pending deletion of the backup is carried out at once if the log contains the user", async () => {
    const file = join(directory, "pending.ndjson");
    await restore();
    writeFileSync(file, `${JSON.stringify({ subject_type: "user", subject_id: PENDING })}\n`);
    expect((await run("deletions", "replay", file)).code).toBe(0);
    expect(await users()).toEqual([ERASED, KEPT]);
  });

  test.each([
    ["{", "format"],
    [JSON.stringify({ subject_type: "session", subject_id: KEPT }), "type"],
    [JSON.stringify({ subject_type: "user", subject_id: "kept@example.test" }), "id"],
  ])("A log with the invalid line %p erases nothing: exit code 1", async (line) => {
    const file = join(directory, "damaged.ndjson");
    await restore();
    writeFileSync(file, `${JSON.stringify({ subject_type: "user", subject_id: KEPT })}\n${line}\n`);
    const { code, output } = await run("deletions", "replay", file);
    expect([code, output]).toEqual([1, expect.stringContaining("line 2")]);
    expect(await users()).toContain(KEPT);
    expect((await run("deletions", "replay")).code).toBe(2);
  });
});

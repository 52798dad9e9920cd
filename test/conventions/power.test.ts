/**
 * Every statement that changes the power of a person is in the list below, with the ways in which power sinks thereby
 * (test/support/power-ways.ts), or with the reason why no power sinks; and PostgreSQL queues a check for every change.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { POWER_WAYS, type PowerWayName } from "../support/power-ways.ts";
import { freshDatabase, openSql } from "../support/services.ts";

const SOURCE = join(import.meta.dir, "../../src");

/** Writes of the columns from which the power of a person derives (`powerOfHolder`). */
const WRITES = [
  /\b(insert into members|update members [a-z ]*set role)\b/g,
  /\b(insert into|delete from|update) (member_roles|organization_roles)\b/g,
  /\bupdate users set platform_role\b/g,
  /\bupdate sso_connections\b(?=[^`]*\b(?:activated_by|confirmed_power) =)/g,
];

type Sites = Readonly<Record<string, readonly PowerWayName[] | string>>;

const SITES: Sites = {
  "member/member.ts: insert into members": ["return_as_member"],
  "member/members.ts: update members set role": ["lower_role"],
  "user-import/user-import.ts: insert into members": ["return_as_member"],
  "directory/managed-account.ts: insert into members": ["return_as_member"],
  "directory/managed-account.ts: update members m set role": ["lower_role", "statement_of_an_earlier_release"],
  "directory/new-users.ts: insert into members": ["return_as_member"],
  "organization-role/member-role.ts: delete from member_roles": [
    "withdrawn_role",
    "removed_rule",
    "sign_in_without_value",
  ],
  "organization-role/member-role.ts: insert into member_roles": "a role more",
  "organization-role/organization-role.ts: insert into organization_roles": "a role without holders",
  "organization-role/organization-role.ts: update organization_roles": ["narrowed_role", "narrowed_template"],
  "organization-role/organization-role.ts: delete from organization_roles": ["deleted_role", "deleted_template"],
  "member-group/group-roles.ts: delete from member_roles": ["left_group", "group_without_roles", "deleted_group"],
  "member-group/group-roles.ts: insert into member_roles": "a role more",
  "user/platform-role.ts: update users set platform_role": ["revoked_platform_role"],
  "channel/confirmed-power.ts: update sso_connections": "a confirmation, and the power at a departure",
  "sso-connection/sso-connection.ts: update sso_connections": ["weaker_activator", "ended_acceptance"],
};

async function writeSites(): Promise<readonly string[]> {
  const sites = new Set<string>();
  for await (const file of new Glob("**/*.ts").scan(SOURCE)) {
    const text = (await Bun.file(join(SOURCE, file)).text()).replace(/\s+/g, () => " ");
    const found = WRITES.flatMap((pattern) => [...text.matchAll(pattern)].map(([write]) => write));
    for (const write of found) sites.add(`${file.replace(/^models\//, () => "")}: ${write}`);
  }
  return [...sites];
}

describe("The statements that change the power of a person", () => {
  test("are all in the list, so that a new way in which power sinks has a test (G416).", async () => {
    expect([...(await writeSites())].sort()).toEqual(Object.keys(SITES).sort());
  });

  test("name every way with a test.", () => {
    const named = new Set(Object.values(SITES).flatMap((ways) => (typeof ways === "string" ? [] : ways)));
    expect([...named].sort()).toEqual(Object.keys(POWER_WAYS).sort() as PowerWayName[]);
  });
});

describe("The triggers of changed power", () => {
  let events: readonly string[];
  beforeAll(async () => {
    const sql = openSql(await freshDatabase());
    const rows = await sql`
      select distinct event_object_table || ' ' || event_manipulation as event from information_schema.triggers
      where action_statement like '%queue_power_checks%'`;
    events = rows.map(({ event }) => String(event));
    await sql.end();
  });

  test("queue a check after each write of the list (G416).", () => {
    expect([...events].sort()).toEqual([
      "member_roles DELETE",
      "member_roles INSERT",
      "members INSERT",
      "members UPDATE",
      "organization_roles UPDATE",
      "sso_connections UPDATE",
      "users UPDATE",
    ]);
  });
});

/** The directory of the demo organization: groups, users with every link, and refused requests. */
import type postgres from "postgres";
import type { Client } from "../support/client.ts";

interface DirectorySite {
  readonly sql: postgres.Sql;
  readonly client: Client;
  readonly organizationId: string;
}

const USERS = [
  ["grace@analytical.example", true, "domain"],
  ["charles@analytical.example", true, "member"],
  ["mary@somerville.example", true, "invitation"],
  ["meeting-room-1", true, "none"],
  ["william@analytical.example", false, "domain"],
] as const;
const GROUPS = [
  ["Engineers", "member"],
  ["Platform administrators", "admin"],
  ["Everyone", null],
] as const;
const REQUESTS = [
  ["POST", "/Users", 409, "uniqueness", "Another user of the directory has this userName."],
  [
    "PATCH",
    "/Groups/0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e",
    400,
    "invalidValue",
    "A member is no user of the directory.",
  ],
] as const;

/** Returns the id of a group. */
export async function fillDirectory({ sql, client, organizationId }: DirectorySite): Promise<string> {
  const created = await client.put(`/v1/orgs/${organizationId}/directory`, {});
  if (created.status !== 200) throw new Error(`the demo expected a directory, got ${created.status}: ${created.text}`);
  const directory = String(created.body.id);
  await sql`
    update directories set last_request_at = now() - interval '12 minutes', user_count = ${USERS.length}
    where id = ${directory}`;
  for (const [name, active, link] of USERS) {
    await sql`
      insert into directory_users (id, directory_id, user_name, user_name_key, active, document, email_keys, link,
                                   version, created_at, updated_at)
      values (gen_random_uuid(), ${directory}, ${name}, ${name}, ${active}, ${sql.json({ userName: name, active })},
              '{}', ${link}, 1, now(), now() - interval '3 hours')`;
  }
  const groups: string[] = [];
  for (const [name, role] of GROUPS) {
    const id = crypto.randomUUID();
    groups.push(id);
    await sql`
      insert into directory_groups (id, directory_id, display_name, display_name_key, role, version, created_at,
                                    updated_at)
      values (${id}, ${directory}, ${name}, ${name.toLowerCase()}, ${role}, 1, now(), now())`;
    await sql`
      insert into directory_group_members (group_id, record_id)
      select ${id}, id from directory_users where directory_id = ${directory}`;
  }
  for (const [index, [method, path, status, scimType, detail]] of REQUESTS.entries()) {
    await sql`
      insert into directory_requests (id, directory_id, at, method, path, status, scim_type, detail, request_id)
      values (gen_random_uuid(), ${directory}, now() - ${`${index * 40 + 5} minutes`}::interval, ${method}, ${path},
              ${status}, ${scimType}, ${detail}, ${crypto.randomUUID()})`;
  }
  return groups[0] ?? "";
}

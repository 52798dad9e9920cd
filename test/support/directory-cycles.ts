/** Cycles of a directory product against a model of its users, and the state behind the records. */
import { expect } from "bun:test";
import { type Deployment, ownDeployment } from "./deployment.ts";
import { directoryOf, groupBody, type ScimClient, userBody, verifyDomainOf } from "./directories.ts";

type Directory = Awaited<ReturnType<typeof directoryOf>>;
export type AdminDirectory = Directory & { readonly group: string };

/** A user, as the directory product knows the user. */
export interface Person {
  readonly active: boolean;
  readonly isAdmin: boolean;
}
export type Wanted = readonly (Person | undefined)[];

/** Two replicas without limits of requests: a cycle sends more than a directory may send in a minute. */
export function cycleDeployment(settings: Record<string, string> = {}): ReturnType<typeof ownDeployment> {
  return ownDeployment({ SERVICE_RATE_LIMITS: "off", ...settings });
}

/** A directory with a group that grants the role `admin`. */
export async function adminDirectory(at: Deployment): Promise<AdminDirectory> {
  const directory = await directoryOf(at);
  await verifyDomainOf(at, directory);
  const group = (await directory.scim("POST", "/Groups", groupBody("Admins"))).body.id;
  const mapped = await directory.client.patch(`${directory.place}/groups/${group}`, { role: "admin" });
  expect(mapped.status).toBe(200);
  return { ...directory, group };
}

export const nameOf = ({ address }: Directory, index: number) => address(`user-${index}`);
export const patch = (op: string, path: string, value: unknown) => ({ Operations: [{ op, path, value }] });

export async function recordOf(
  scim: ScimClient,
  userName: string,
): Promise<{ id: string; active: boolean } | undefined> {
  const { body } = await scim("GET", `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`);
  return body?.Resources?.[0];
}

/**
 * One cycle in the manner of Entra ID: lookup, POST or PATCH, DELETE, and then the members of the group. Returns the
 * number of changes.
 */
export async function cycle(directory: AdminDirectory, scim: ScimClient, wanted: Wanted): Promise<number> {
  const members: { readonly value: string }[] = [];
  let changes = 0;
  const send = async (...request: Parameters<ScimClient>) => {
    changes += 1;
    const { status, body } = await scim(...request);
    expect([request[0], request[1], status, body?.detail]).toEqual([
      request[0],
      request[1],
      status < 300 ? status : 200,
      undefined,
    ]);
    return body;
  };
  for (const [index, person] of wanted.entries()) {
    const userName = nameOf(directory, index);
    const known = await recordOf(scim, userName);
    if (!person) {
      if (known) await send("DELETE", `/Users/${known.id}`);
      continue;
    }
    const record = known ?? (await send("POST", "/Users", userBody(userName, { active: person.active })));
    if (record.active !== person.active)
      await send("PATCH", `/Users/${record.id}`, patch("Replace", "active", person.active));
    if (person.isAdmin) members.push({ value: record.id });
  }
  const { body } = await scim("GET", `/Groups/${directory.group}`);
  const values = (list: readonly { readonly value: string }[]) => list.map(({ value }) => value).sort();
  if (values(body.members ?? []).join() !== values(members).join()) {
    await send("PATCH", `/Groups/${directory.group}`, patch("Replace", "members", members));
  }
  return changes;
}

/**
 * Every record with the membership behind it, and everything that must not exist. A member without an active record is
 * a stranger, unless an accepted invitation admitted the member.
 */
export async function stateOf({ sql }: Pick<Deployment, "sql">, { organizationId }: Directory) {
  const users = await sql<{ name: string; active: boolean; role: string | null }[]>`
    select r.user_name as name, r.active, m.role from directories d join directory_users r on r.directory_id = d.id
    left join members m on m.organization_id = d.organization_id and m.user_id = r.user_id
    where d.organization_id = ${organizationId} order by r.user_name`;
  const [broken] = await sql<Record<string, number>[]>`
    select
      (select count(*)::int from directory_users r where r.directory_id = d.id and r.active and r.user_id is null)
        as unlinked,
      (select count(*)::int from directory_users r where r.directory_id = d.id and not exists (
        select 1 from audit_logs a where a.resource_id = r.id::text and a.action = 'directory_user.created'))
        as unrecorded,
      (select count(*)::int from members m join users u on u.id = m.user_id
       where m.organization_id = d.organization_id and u.managed_by = d.organization_id and not exists (
         select 1 from directory_users r where r.directory_id = d.id and r.user_id = m.user_id and r.active)
         and not exists (
           select 1 from audit_logs a
           where a.action = 'invitation.accepted' and a.actor_id = m.user_id and a.timestamp = m.joined_at))
        as strangers,
      (select count(*)::int from users u where u.managed_by = d.organization_id and not exists (
         select 1 from user_emails e where e.user_id = u.id and e."primary"))
        as halves,
      (select d.user_count - count(*)::int from directory_users r where r.directory_id = d.id) as miscounted
    from directories d where d.organization_id = ${organizationId}`;
  return { users: [...users], broken };
}

export const NOTHING_BROKEN = { unlinked: 0, unrecorded: 0, strangers: 0, halves: 0, miscounted: 0 };

export function modelOf(directory: Directory, wanted: Wanted) {
  return wanted
    .flatMap((person, index) => {
      if (!person) return [];
      const role = person.active ? (person.isAdmin ? "admin" : "member") : null;
      return [{ name: nameOf(directory, index), active: person.active, role }];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The role of a member follows from the committed groups. */
export async function expectRolesOfGroups({ sql }: Pick<Deployment, "sql">, { organizationId }: Directory) {
  const wrong = await sql`
    select r.user_name, m.role, min(g.role) as wanted from directories d
    join directory_users r on r.directory_id = d.id and r.active
    join members m on m.organization_id = d.organization_id and m.user_id = r.user_id and m.role <> 'owner'
    left join directory_group_members gm on gm.record_id = r.id left join directory_groups g on g.id = gm.group_id
    where d.organization_id = ${organizationId} group by r.id, m.role
    having m.role is distinct from coalesce(min(g.role), 'member')`;
  expect([...wrong]).toEqual([]);
}

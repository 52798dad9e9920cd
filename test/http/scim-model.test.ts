/**
 * Generated sequences of POST, PUT, PATCH and DELETE of users and groups against a model (G176). Directories repeat a
 * request whose response was lost, at once or after later requests.
 */
import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Deployment, deployment } from "../support/deployment.ts";
import { directoryOf, groupBody, scimClient, userBody, verifyDomainOf } from "../support/directories.ts";

const SEQUENCES = 6;
const SEED = 31;
const NAMES = ["user-0", "user-1", "user-2"];
const GROUPS = ["Admins", "Team"];

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

interface ModelUser {
  readonly name: string;
  active: boolean;
}
interface ModelGroup {
  name: string;
  role: "admin" | null;
  members: ReadonlySet<string>;
}
interface Model {
  readonly users: Map<string, ModelUser>;
  readonly groups: Map<string, ModelGroup>;
}

/** A request with fixed ids, and its effect on the model: the expected status. */
interface Sent {
  readonly request: readonly [method: string, path: string, body?: unknown];
  /** Whether the endpoint of administrators receives the request. */
  readonly isMapping?: boolean;
  /** `id`: of a created resource. */
  apply(model: Model, id: string): number;
}

const patch = (op: string, path: string, value: unknown) => ({ Operations: [{ op, path, value }] });
const nameIsTaken = (all: Iterable<{ readonly name: string }>, name: string) =>
  [...all].some((each) => each.name === name);

function changeUser(id: string, request: Sent["request"], active: boolean | undefined): Sent {
  return {
    request,
    apply({ users }) {
      const user = users.get(id);
      if (user && active !== undefined) user.active = active;
      return user ? 200 : 404;
    },
  };
}

/** A name that another group has is refused, and a reference to an unknown user. */
function changeGroup(
  id: string,
  request: Sent["request"],
  given: { readonly name?: string; readonly members?: readonly string[] },
  change: (group: ModelGroup) => void,
  status: number,
): Sent {
  return {
    request,
    apply({ users, groups }) {
      const group = groups.get(id);
      if (!group) return 404;
      const others = [...groups].flatMap(([other, each]) => (other === id ? [] : [each]));
      if (given.name !== undefined && nameIsTaken(others, given.name)) return 409;
      if (given.members?.some((each) => !users.has(each))) return 400;
      change(group);
      return status;
    },
  };
}

type Kind =
  | "create"
  | "put"
  | "patch"
  | "delete"
  | "create group"
  | "put group"
  | "rename"
  | "join"
  | "leave"
  | "map"
  | "delete group";
interface Step {
  readonly kind: Kind;
  readonly user: number;
  readonly group: number;
  readonly active: boolean | undefined;
  /** The numbers of later requests after which the request is repeated. */
  readonly repeats: readonly number[];
}

/** The request of a step with the ids of this moment; undefined without a target. */
function sentFor(
  { kind, user, group, active }: Step,
  model: Model,
  address: (name: string) => string,
): Sent | undefined {
  const name = address(NAMES[user] ?? "");
  const [userId] = [...model.users].find(([, each]) => each.name === name) ?? [];
  const groupName = GROUPS[group] ?? "";
  const [groupId] = [...model.groups].find(([, each]) => each.name.startsWith(groupName)) ?? [];
  if (kind === "create") return createUser(name, active);
  if (kind === "create group") return createGroup(groupName);
  if (kind === "join" || kind === "leave") return userId && groupId ? moveMember(kind, groupId, userId) : undefined;
  if (kind === "put" || kind === "patch" || kind === "delete")
    return userId ? writeUser(kind, userId, name, active) : undefined;
  return groupId ? writeGroup(kind, groupId, groupName, model) : undefined;
}

function createUser(name: string, active: boolean | undefined): Sent {
  return {
    request: ["POST", "/Users", userBody(name, active === undefined ? {} : { active })],
    apply({ users }, id) {
      if (nameIsTaken(users.values(), name)) return 409;
      users.set(id, { name, active: active ?? true });
      return 201;
    },
  };
}

function createGroup(name: string): Sent {
  return {
    request: ["POST", "/Groups", groupBody(name)],
    apply({ groups }, id) {
      if (nameIsTaken(groups.values(), name)) return 409;
      groups.set(id, { name, role: null, members: new Set() });
      return 201;
    },
  };
}

function writeUser(kind: "delete" | "patch" | "put", id: string, name: string, active: boolean | undefined): Sent {
  const path = `/Users/${id}`;
  if (kind === "put") {
    const fields = active === undefined ? { title: "Guide" } : { active };
    return changeUser(id, ["PUT", path, userBody(name, fields)], active);
  }
  if (kind === "patch") {
    const value = active ?? true;
    return changeUser(id, ["PATCH", path, patch("Replace", "active", value ? "True" : "False")], value);
  }
  return {
    request: ["DELETE", path],
    apply({ users, groups }) {
      for (const each of groups.values()) each.members = each.members.difference(new Set([id]));
      return users.delete(id) ? 204 : 404;
    },
  };
}

function moveMember(kind: "join" | "leave", groupId: string, userId: string): Sent {
  const ids = new Set([userId]);
  const body = patch(kind === "join" ? "Add" : "Remove", "members", [{ value: userId }]);
  const change = (group: ModelGroup) => {
    group.members = kind === "join" ? group.members.union(ids) : group.members.difference(ids);
  };
  return changeGroup(
    groupId,
    ["PATCH", `/Groups/${groupId}`, body],
    { members: kind === "join" ? [userId] : [] },
    change,
    204,
  );
}

function writeGroup(kind: Kind, id: string, name: string, { users }: Model): Sent {
  const path = `/Groups/${id}`;
  if (kind === "put group") {
    const members = [...users.keys()];
    const change = (group: ModelGroup) => Object.assign(group, { name, members: new Set(members) });
    return changeGroup(id, ["PUT", path, groupBody(name, members)], { name, members }, change, 200);
  }
  if (kind === "rename") {
    const renamed = `${name} renamed`;
    const change = (group: ModelGroup) => Object.assign(group, { name: renamed });
    return changeGroup(id, ["PATCH", path, patch("Replace", "displayName", renamed)], { name: renamed }, change, 204);
  }
  if (kind === "map") {
    const change = (group: ModelGroup) => Object.assign(group, { role: "admin" });
    return { ...changeGroup(id, ["PATCH", `/groups/${id}`, { role: "admin" }], {}, change, 200), isMapping: true };
  }
  return { request: ["DELETE", path], apply: ({ groups }) => (groups.delete(id) ? 204 : 404) };
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Kind[]>(
    ...(["create", "create", "put", "patch", "patch", "delete", "join", "join", "leave"] as const),
    ...(["create group", "put group", "rename", "map", "map", "delete group"] as const),
  ),
  user: fc.nat({ max: NAMES.length - 1 }),
  group: fc.nat({ max: GROUPS.length - 1 }),
  active: fc.constantFrom(true, false, undefined),
  repeats: fc.constantFrom([], [], [0], [2], [0, 3]),
});

test("sequences, also repeated and late, end in the state of the model: records, groups and roles", async () => {
  const directory = await directoryOf(at);
  await verifyDomainOf(at, directory);
  const { client, address, place, organizationId } = directory;
  const clients = [directory.scim, scimClient(at.other.url, directory.key)];
  const model: Model = { users: new Map(), groups: new Map() };
  let count = 0;
  const send = async ({ request: [method, path, body], isMapping, apply }: Sent) => {
    count += 1;
    const scim = clients[count % clients.length] ?? directory.scim;
    const response = isMapping
      ? await client.request(method, `${place}${path}`, { body })
      : await scim(method, path, body);
    const expected = apply(model, String(response.body?.id));
    expect([method, path, body, response.status]).toEqual([method, path, body, expected]);
  };
  const sequences = fc.sample(fc.array(step, { minLength: 12, maxLength: 12 }), { numRuns: SEQUENCES, seed: SEED });
  for (const sequence of sequences) {
    let waiting: { readonly sent: Sent; readonly after: number }[] = [];
    for (const each of sequence) {
      const sent = sentFor(each, model, address);
      if (!sent) continue;
      await send(sent);
      waiting.push(...each.repeats.map((after) => ({ sent, after })));
      for (const { sent: late } of waiting.filter(({ after }) => after === 0)) await send(late);
      waiting = waiting
        .filter(({ after }) => after > 0)
        .map(({ sent: late, after }) => ({ sent: late, after: after - 1 }));
    }
    await expectModel();
  }

  async function expectModel() {
    const users = await at.sql`
      select r.id, r.user_name as name, r.active, m.role from directories d
      join directory_users r on r.directory_id = d.id
      left join members m on m.organization_id = d.organization_id and m.user_id = r.user_id
      where d.organization_id = ${organizationId} order by r.id`;
    const roleOf = (id: string) =>
      [...model.groups.values()].some(({ role, members }) => role === "admin" && members.has(id)) ? "admin" : "member";
    const expected = [...model.users].map(([id, { name, active }]) => ({
      id,
      name,
      active,
      role: active ? roleOf(id) : null,
    }));
    expect([...users]).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
    const { body } = await directory.scim("GET", "/Groups");
    const resources: { id: string; displayName: string; members?: { value: string }[] }[] = body.Resources;
    const groups = resources.map(({ id, displayName, members = [] }) => [
      id,
      displayName,
      members.map(({ value }) => value).sort(),
    ]);
    const wanted = [...model.groups].map(([id, { name, members }]) => [id, name, [...members].sort()]);
    expect(groups.sort()).toEqual(wanted.sort());
    const [{ strangers, count: total } = {}] = await at.sql`
      select d.user_count as count, (select count(*)::int from members m where m.organization_id = d.organization_id
        and m.role <> 'owner' and not exists (select 1 from directory_users r where r.directory_id = d.id
        and r.user_id = m.user_id and r.active)) as strangers
      from directories d where d.organization_id = ${organizationId}`;
    expect([strangers, total]).toEqual([0, model.users.size]);
  }
});

/** Random edits of roles, assignments and groups by several editors, over two replicas, against a model (G225). */
import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Answer } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { createdRole, type Host, type Person, rolesOf } from "../support/roles.ts";
import { founded, memberWith } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const PERMISSIONS = ["members.role", "roles.manage", "audit.read", "webhooks.manage"] as const;
const MEMBERS = 3;
const ROLES = 4;
const GROUPS = 2;
const RUNS = 5;
const EDITS_MAX = 25;

type Names = readonly string[];
type Edit =
  | { readonly kind: "assign"; readonly actor: number; readonly target: number; readonly roles: readonly number[] }
  | { readonly kind: "define"; readonly actor: number; readonly role: number; readonly permissions: Names }
  | {
      readonly kind: "place";
      readonly actor: number;
      readonly target: number;
      readonly group: number;
      readonly isIn: boolean;
    }
  | { readonly kind: "grant"; readonly actor: number; readonly group: number; readonly roles: readonly number[] };

/** Roles, groups and members by index. Member 0 is the owner. */
class Model {
  readonly definitions: Set<string>[] = Array.from({ length: ROLES }, () => new Set());
  readonly assigned: Set<number>[] = Array.from({ length: MEMBERS + 1 }, () => new Set());
  readonly places: Set<number>[] = Array.from({ length: GROUPS }, () => new Set());
  readonly granted: Set<number>[] = Array.from({ length: GROUPS }, () => new Set());

  heldBy(member: number): Set<number> {
    const byGroups = this.places.flatMap((place, group) => (place.has(member) ? [...setAt(this.granted, group)] : []));
    return new Set([...setAt(this.assigned, member), ...byGroups]);
  }

  permissionsOf(member: number): Set<string> {
    if (member === 0) return new Set(PERMISSIONS);
    return new Set([...this.heldBy(member)].flatMap((role) => [...setAt(this.definitions, role)]));
  }

  /** Whether the actor may change the use of the roles for the members. */
  private mayUse(
    actor: number,
    roles: Iterable<number>,
    changed: Iterable<number>,
    members: Iterable<number>,
  ): boolean {
    const own = this.permissionsOf(actor);
    const covers = (names: Iterable<string>) => [...names].every((name) => own.has(name));
    const held = this.heldBy(actor);
    const [used, touched] = [[...roles], [...changed]];
    return (
      used.every((role) => covers(setAt(this.definitions, role))) &&
      touched.every((role) => !held.has(role)) &&
      [...members].every((member) => member !== 0 || actor === 0) &&
      [...members].every((member) => covers(this.permissionsOf(member)))
    );
  }

  permits(edit: Edit): boolean {
    const { actor } = edit;
    const own = this.permissionsOf(actor);
    if (!own.has(edit.kind === "define" ? "roles.manage" : "members.role")) return false;
    switch (edit.kind) {
      case "assign": {
        const changed = difference(setAt(this.assigned, edit.target), new Set(edit.roles));
        return actor !== edit.target && this.mayUse(actor, changed, changed, [edit.target]);
      }
      case "define":
        return this.mayUse(actor, [edit.role], [edit.role], []) && edit.permissions.every((name) => own.has(name));
      case "place": {
        const roles = setAt(this.granted, edit.group);
        return (roles.size === 0 || actor !== edit.target) && this.mayUse(actor, roles, roles, [edit.target]);
      }
      case "grant": {
        const [before, after] = [setAt(this.granted, edit.group), new Set(edit.roles)];
        const [changed, members] = [difference(before, after), setAt(this.places, edit.group)];
        if (changed.length > 0 && members.has(actor)) return false;
        return this.mayUse(actor, [...before, ...after], changed, changed.length > 0 ? members : []);
      }
    }
  }

  apply(edit: Edit): void {
    if (edit.kind === "assign") this.assigned[edit.target] = new Set(edit.roles);
    else if (edit.kind === "define") this.definitions[edit.role] = new Set(edit.permissions);
    else if (edit.kind === "grant") this.granted[edit.group] = new Set(edit.roles);
    else if (edit.isIn) setAt(this.places, edit.group).add(edit.target);
    else setAt(this.places, edit.group).delete(edit.target);
  }
}

function setAt<T>(sets: readonly Set<T>[], index: number): Set<T> {
  const found = sets[index];
  if (!found) throw new Error(`the model has no index ${index}`);
  return found;
}

function difference(before: ReadonlySet<number>, after: ReadonlySet<number>): number[] {
  return [...[...before].filter((each) => !after.has(each)), ...[...after].filter((each) => !before.has(each))];
}

const actor = fc.nat(MEMBERS);
const target = fc.integer({ min: 1, max: MEMBERS });
const group = fc.nat(GROUPS - 1);
const roles = fc.uniqueArray(fc.nat(ROLES - 1), { maxLength: 2 });
const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant("assign" as const), actor, target, roles }),
  fc.record({
    kind: fc.constant("define" as const),
    actor,
    role: fc.nat(ROLES - 1),
    permissions: fc.subarray([...PERMISSIONS]),
  }),
  fc.record({ kind: fc.constant("place" as const), actor, target, group, isIn: fc.boolean() }),
  fc.record({ kind: fc.constant("grant" as const), actor, group, roles }),
);

interface System {
  readonly host: Host;
  readonly people: readonly Person[];
  readonly roleIds: Names;
  readonly groupIds: Names;
}

async function openSystem(): Promise<System> {
  const host = await founded(at);
  const { organizationId } = host;
  const members = await Promise.all(Array.from({ length: MEMBERS }, () => memberWith(at, organizationId, "member")));
  const roleIds: string[] = [];
  for (let index = 0; index < ROLES; index++) roleIds.push((await createdRole(host, [])).id);
  const groupIds: string[] = [];
  for (let index = 0; index < GROUPS; index++) {
    const created = await host.client.post(`/v1/orgs/${organizationId}/groups`, { name: `Group ${index}` });
    groupIds.push(String(created.body.id));
  }
  return { host, people: [host, ...members], roleIds, groupIds };
}

/** Sends an edit, to the replicas in turn. */
async function send({ host, people, roleIds, groupIds }: System, edit: Edit, step: number): Promise<Answer> {
  const base = `/v1/orgs/${host.organizationId}`;
  const client = people[edit.actor]?.client.at(step % 2 === 0 ? at.one.url : at.other.url);
  if (!client) throw new Error("no such actor");
  const idsOf = (indexes: readonly number[]) => indexes.map((index) => roleIds[index]);
  switch (edit.kind) {
    case "assign": {
      const path = `${base}/members/${people[edit.target]?.userId}/roles`;
      return await client.put(path, { role_ids: idsOf(edit.roles) });
    }
    case "define":
      return await client.patch(`${rolesOf(host.organizationId)}/${roleIds[edit.role]}`, {
        permissions: edit.permissions,
      });
    case "place": {
      const path = `${base}/groups/${groupIds[edit.group]}/members/${people[edit.target]?.userId}`;
      return await (edit.isIn ? client.put(path) : client.delete(path));
    }
    case "grant":
      return await client.patch(`${base}/groups/${groupIds[edit.group]}`, { role_ids: idsOf(edit.roles) });
  }
}

/** The permissions of a member at the replica that did not receive the edit. */
async function permissionsAt({ host, people }: System, member: number, step: number): Promise<Names> {
  const client = host.client.at(step % 2 === 0 ? at.other.url : at.one.url);
  const body = { user_id: people[member]?.userId, permissions: PERMISSIONS };
  const { allowed } = (await client.post(`/v1/orgs/${host.organizationId}/permissions/check`, body)).body;
  return PERMISSIONS.filter((name) => allowed[name]);
}

test("No edits give a permission that no grantor had; both replicas agree with the model (G225).", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edits, { minLength: 10, maxLength: EDITS_MAX }), async (sequence) => {
      const [system, model] = [await openSystem(), new Model()];
      for (const [step, edit] of sequence.entries()) {
        const [isPermitted, own] = [model.permits(edit), model.permissionsOf(edit.actor)];
        const before = system.people.map((_, member) => model.permissionsOf(member));
        const { status } = await send(system, edit, step);
        expect([step, edit, status < 300 ? "ok" : status]).toEqual([step, edit, isPermitted ? "ok" : 403]);
        if (isPermitted) model.apply(edit);
        for (let member = 1; member <= MEMBERS; member++) {
          const permissions = await permissionsAt(system, member, step);
          expect([step, member, permissions]).toEqual([
            step,
            member,
            PERMISSIONS.filter((name) => model.permissionsOf(member).has(name)),
          ]);
          const gained = permissions.filter((name) => !before[member]?.has(name));
          expect(gained.filter((name) => !own.has(name))).toEqual([]);
        }
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 60_000);

/**
 * Random edits of roles, templates, assignments, groups and invitations by several editors, over two replicas, against
 * a model (G225). The sequences are random; `MODEL_SEED` and `MODEL_RUNS` override seed and number of sequences.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Answer, Client, newEmail, PASSWORD } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { INVITE_LINK, tokenTo } from "../support/mail.ts";
import { oauthAdmin } from "../support/oauth.ts";
import { createdRole, type Host, newRoleKey, type Person, rolesOf } from "../support/roles.ts";
import { accept, founded, invitationsOf, memberWith } from "../support/team.ts";

let at: Deployment;
/** A template of the platform, which every organization can use. */
let templateId: string;
beforeAll(async () => {
  at = await deployment();
  const template = { key: newRoleKey(), name: "Template", permissions: [] };
  const { status, body } = await (await oauthAdmin()).post("/v1/admin/roles", template);
  expect(status).toBe(201);
  templateId = String(body.id);
});
afterAll(async () => {
  await at.sql`delete from organization_roles where id = ${templateId}`;
});

const PERMISSIONS = ["members.role", "members.invite", "roles.manage", "audit.read", "webhooks.manage"] as const;
/** A template reaches every organization and never has `roles.manage`. */
const TEMPLATE_PERMISSIONS = PERMISSIONS.filter((name) => name !== "roles.manage");
const MEMBERS = 3;
/** Further members by invitation. */
const NEWCOMERS = 2;
/** Roles of the organization; the template has the next index. */
const ROLES = 4;
const GROUPS = 2;
const EDITS_MAX = 25;
const RUNS = Number(process.env.MODEL_RUNS ?? 5);
const SEED = process.env.MODEL_SEED === undefined ? {} : { seed: Number(process.env.MODEL_SEED) };
const MODEL_MS = 60_000 + RUNS * 10_000;

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
  | { readonly kind: "grant"; readonly actor: number; readonly group: number; readonly roles: readonly number[] }
  | { readonly kind: "invite"; readonly actor: number; readonly roles: readonly number[] }
  | { readonly kind: "template"; readonly permissions: Names }
  /** The oldest open invitation is accepted. */
  | { readonly kind: "accept" };
type Invited = Edit & { readonly kind: "invite" };

/** The permission that an edit by a member needs. */
function neededFor(kind: Edit["kind"]): (typeof PERMISSIONS)[number] {
  if (kind === "define") return "roles.manage";
  return kind === "invite" ? "members.invite" : "members.role";
}

/** Roles, groups and members by index. Member 0 is the owner. */
class Model {
  readonly definitions: Set<string>[] = Array.from({ length: ROLES + 1 }, () => new Set());
  readonly assigned: Set<number>[] = Array.from({ length: MEMBERS + 1 + NEWCOMERS }, () => new Set());
  readonly places: Set<number>[] = Array.from({ length: GROUPS }, () => new Set());
  readonly granted: Set<number>[] = Array.from({ length: GROUPS }, () => new Set());
  readonly invitations: Invited[] = [];
  joined = 0;

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

  /** Whether the edit is possible: an acceptance needs an open invitation. */
  offers({ kind }: Edit): boolean {
    if (kind === "invite") return this.invitations.length + this.joined < NEWCOMERS;
    return kind !== "accept" || this.invitations.length > 0;
  }

  /** The permissions of the grantor; the platform has all permissions. */
  grantorOf(edit: Edit): Set<string> {
    if (edit.kind === "template") return new Set(PERMISSIONS);
    return this.permissionsOf(edit.kind === "accept" ? (this.invitations[0]?.actor ?? 0) : edit.actor);
  }

  permits(edit: Edit): boolean {
    if (edit.kind === "template" || edit.kind === "accept") return true;
    const { actor } = edit;
    const own = this.permissionsOf(actor);
    if (!own.has(neededFor(edit.kind))) return false;
    switch (edit.kind) {
      case "invite":
        return this.mayUse(actor, edit.roles, [], []);
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
    else if (edit.kind === "template") this.definitions[ROLES] = new Set(edit.permissions);
    else if (edit.kind === "invite") this.invitations.push(edit);
    else if (edit.kind === "accept") this.join();
    else if (edit.isIn) setAt(this.places, edit.group).add(edit.target);
    else setAt(this.places, edit.group).delete(edit.target);
  }

  /** A role beyond the present permissions of the inviter is dropped. */
  private join(): void {
    const invitation = this.invitations.shift();
    if (!invitation) throw new Error("no open invitation");
    const power = this.permissionsOf(invitation.actor);
    this.joined += 1;
    const granted = invitation.roles.filter((role) =>
      [...setAt(this.definitions, role)].every((name) => power.has(name)),
    );
    this.assigned[MEMBERS + this.joined] = new Set(granted);
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
const roles = fc.uniqueArray(fc.nat(ROLES), { maxLength: 2 });
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
  fc.record({ kind: fc.constant("template" as const), permissions: fc.subarray(TEMPLATE_PERMISSIONS) }),
  fc.record({ kind: fc.constant("invite" as const), actor, roles }),
  fc.record({ kind: fc.constant("accept" as const) }),
);

interface System {
  readonly host: Host;
  /** The owner, the members, and the members by invitation. */
  readonly people: Person[];
  /** Addresses of the open invitations. */
  readonly invited: string[];
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
  await changeTemplate([]);
  return { host, people: [host, ...members], invited: [], roleIds: [...roleIds, templateId], groupIds };
}

async function changeTemplate(permissions: Names): Promise<Answer> {
  return await (await oauthAdmin()).patch(`/v1/admin/roles/${templateId}`, { permissions });
}

/** Accepts the oldest open invitation; the new user is one of the people. */
async function acceptOldest({ people, invited }: System, url: string): Promise<Answer> {
  const client = new Client(url);
  const token = await tokenTo(at.mail, invited.shift() ?? "", INVITE_LINK);
  const accepted = await accept(client, token, { password: PASSWORD });
  if (accepted.status === 201) people.push({ client, userId: String(accepted.body.user.user_id) });
  return accepted;
}

/** Sends an edit, to the replicas in turn. */
async function send(system: System, edit: Edit, step: number): Promise<Answer> {
  const { host, people, invited, roleIds, groupIds } = system;
  const base = `/v1/orgs/${host.organizationId}`;
  const url = step % 2 === 0 ? at.one.url : at.other.url;
  if (edit.kind === "template") return await changeTemplate(edit.permissions);
  if (edit.kind === "accept") return await acceptOldest(system, url);
  const client = people[edit.actor]?.client.at(url);
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
    case "invite": {
      const email = newEmail();
      const body = { email, role: "member", role_ids: idsOf(edit.roles) };
      const invitation = await client.post(invitationsOf(host.organizationId), body);
      if (invitation.status === 201) invited.push(email);
      return invitation;
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

test(
  "No edits give a permission that no grantor had; both replicas agree with the model (G225).",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edits, { minLength: 10, maxLength: EDITS_MAX }), async (sequence) => {
        const [system, model] = [await openSystem(), new Model()];
        for (const [step, edit] of sequence.entries()) {
          if (!model.offers(edit)) continue;
          const [isPermitted, own] = [model.permits(edit), model.grantorOf(edit)];
          const before = system.people.map((_, member) => model.permissionsOf(member));
          const { status } = await send(system, edit, step);
          expect([step, edit, status < 300 ? "ok" : status]).toEqual([step, edit, isPermitted ? "ok" : 403]);
          if (isPermitted) model.apply(edit);
          for (let member = 1; member < system.people.length; member++) {
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
      { ...SEED, numRuns: RUNS, endOnFailure: true },
    );
  },
  MODEL_MS,
);

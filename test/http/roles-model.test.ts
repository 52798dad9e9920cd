/**
 * Random edits of roles, templates, assignments, groups, invitations, rules for single sign-on and groups of a
 * directory by several editors, with sign-ins at an identity provider and requests of the directory, over two replicas,
 * against a model (G225). The sequences are random; `MODEL_SEED` and `MODEL_RUNS` override seed and number of
 * sequences.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Answer, Client, newEmail, PASSWORD } from "../support/client.ts";
import { groupBody, type ScimClient, scimClient, userBody } from "../support/directories.ts";
import { INVITE_LINK, tokenTo } from "../support/mail.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { EDITORS, type Edit, edits, GROUPS, Model, type Names, PERMISSIONS, ROLES } from "../support/role-edits.ts";
import { createdRole, type Host, newRoleKey, type Person, rolesOf } from "../support/roles.ts";
import { accountsOf, keyOf } from "../support/service-accounts.ts";
import {
  announceConnections,
  company,
  routable,
  SsoBrowser,
  type SsoDeployment,
  ssoDeployment,
} from "../support/sso.ts";
import { accept, invitationsOf, memberWith, verify } from "../support/team.ts";

const EDITS_MAX = 30;
const RUNS = Number(process.env.MODEL_RUNS ?? 3);
const SEED = process.env.MODEL_SEED === undefined ? {} : { seed: Number(process.env.MODEL_SEED) };
const MODEL_MS = 60_000 + RUNS * 15_000;
/** The group of the employee at the identity provider. */
const STAFF = "staff";

let at: SsoDeployment["at"];
let provider: SsoDeployment["forged"]["provider"];
let platform: Person;
/** A template of the platform, which every organization can use. */
let template: { readonly id: string; readonly key: string };
beforeAll(async () => {
  const sso = await ssoDeployment();
  at = sso.at;
  provider = sso.forged.provider;
  platform = await steppedUpAdmin(at);
  const key = newRoleKey();
  const { status, body } = await platform.client.post("/v1/admin/roles", { key, name: "Template", permissions: [] });
  expect(status).toBe(201);
  template = { id: String(body.id), key };
});
afterAll(async () => {
  await at.sql`delete from organization_roles where id = ${template.id}`;
});

interface System {
  readonly host: Host;
  /** The owner, the editors, the employee, the user of the directory, and the members by invitation. */
  readonly people: Person[];
  /** Addresses of the open invitations. */
  readonly invited: string[];
  readonly roles: readonly { readonly id: string; readonly key: string }[];
  readonly groupIds: Names;
  readonly enter: (url: string) => Promise<Answer>;
  readonly directory: Directory;
}

interface Directory {
  readonly scim: ScimClient;
  readonly userId: string;
  readonly record: string;
  readonly group: string;
}

async function openSystem(): Promise<System> {
  const connectionId = crypto.randomUUID();
  const founded = await company(at, connectionId, provider.url, { groups_from: "groups" });
  await announceConnections(at);
  await routable(at, [connectionId]);
  const { organizationId, domain } = founded;
  const host = { client: founded.owner, userId: founded.ownerId, organizationId };
  await verify(at.sql, host.userId);
  const editors = await Promise.all(Array.from({ length: EDITORS }, () => memberWith(at, organizationId, "member")));
  // A long run outlasts access token and step-up of the platform's administrator.
  expect((await platform.client.post("/v1/auth/refresh")).status).toBe(200);
  await stepUp([host, ...editors, platform]);
  const email = `employee@${domain}`;
  const enter = async (url: string) => {
    provider.claims = { sub: `employee of ${domain}`, email, groups: [STAFF] };
    return await new SsoBrowser(url).enter(connectionId);
  };
  const employee = { client: host.client, userId: String((await enter(at.one.url)).body.user.user_id) };
  const directory = await openDirectory(host);
  const people = [host, ...editors, employee, { client: host.client, userId: directory.userId }];
  const roles: { id: string; key: string }[] = [];
  for (let index = 0; index < ROLES; index++) roles.push(await createdRole(host, []));
  const groupIds: string[] = [];
  for (let index = 0; index < GROUPS; index++) {
    const created = await host.client.post(`/v1/orgs/${organizationId}/groups`, { name: `Group ${index}` });
    groupIds.push(String(created.body.id));
  }
  await changeTemplate([]);
  return { host, people, invited: [], roles: [...roles, template], groupIds, enter, directory };
}

/** Editors change rules for single sign-on and the directory, and the platform changes templates, after a step-up. */
async function stepUp(people: readonly Person[]): Promise<void> {
  const ids = people.map(({ userId }) => userId);
  await at.sql`update sessions set aal = 'aal2', mfa_verified_at = now() where user_id = any(${ids}::uuid[])`;
}

/** A directory with a record of a member, and a group. */
async function openDirectory({ client, organizationId }: Host): Promise<Directory> {
  expect((await client.put(`/v1/orgs/${organizationId}/directory`, {})).status).toBe(200);
  const { key } = await keyOf(client, accountsOf(organizationId), ["scim.write"]);
  const scim = scimClient(at.other.url, key);
  const { userId, email } = await memberWith(at, organizationId, "member");
  const user = await scim("POST", "/Users", userBody(email));
  const group = await scim("POST", "/Groups", groupBody("Engineers"));
  expect([user.status, group.status]).toEqual([201, 201]);
  return { scim, userId, record: String(user.body.id), group: String(group.body.id) };
}

async function changeTemplate(permissions: Names): Promise<Answer> {
  return await platform.client.patch(`/v1/admin/roles/${template.id}`, { permissions });
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
async function send(system: System, edit: Edit, step: number): Promise<Pick<Answer, "status">> {
  const { host, people, invited, roles, groupIds, directory } = system;
  const base = `/v1/orgs/${host.organizationId}`;
  const url = step % 2 === 0 ? at.one.url : at.other.url;
  const client = people["actor" in edit ? edit.actor : 0]?.client.at(url);
  if (!client) throw new Error("no such actor");
  const idsOf = (indexes: readonly number[]) => indexes.map((index) => roles[index]?.id);
  switch (edit.kind) {
    case "template":
      return await changeTemplate(edit.permissions);
    case "accept":
      return await acceptOldest(system, url);
    case "enter":
      return await system.enter(url);
    case "provision": {
      const members = edit.isIn ? [directory.record] : [];
      return await directory.scim("PUT", `/Groups/${directory.group}`, groupBody("Engineers", members));
    }
    case "rule": {
      const role_rules = edit.roles.map((index) => ({ from: "groups", value: STAFF, role: roles[index]?.key }));
      return await client.put(`${base}/sso/policy`, { mode: "optional", role_rules });
    }
    case "map": {
      const mapping = { role: null, role_ids: idsOf(edit.roles) };
      return await client.patch(`${base}/directory/groups/${directory.group}`, mapping);
    }
    case "assign": {
      const path = `${base}/members/${people[edit.target]?.userId}/roles`;
      return await client.put(path, { role_ids: idsOf(edit.roles) });
    }
    case "define":
      return await client.patch(`${rolesOf(host.organizationId)}/${roles[edit.role]?.id}`, {
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
  const checked = await client.post(`/v1/orgs/${host.organizationId}/permissions/check`, body);
  expect([checked.status, checked.text]).toEqual([200, expect.any(String)]);
  const { allowed } = checked.body;
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

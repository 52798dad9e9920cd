/**
 * The ways in which the power of a person sinks. Each way gives a person the permission `audit.read`, and then takes
 * the permission away; test/http/lost-power.test.ts runs each way, test/conventions/power.test.ts names the statements.
 */
import { expect } from "bun:test";
import { INVITE_LINK, tokenTo } from "./mail.ts";
import { steppedUpAdmin } from "./platform.ts";
import { assignRoles, createdRole, type Host, newRoleKey } from "./roles.ts";
import { changeConnection, SsoBrowser, type SsoDeployment, setPolicy } from "./sso.ts";
import { accept, invite, memberWith } from "./team.ts";

export interface Sinking {
  /** The person responsible for the connection. */
  readonly personId: string;
  readonly sink: () => Promise<unknown>;
}

type PowerWay = (sso: SsoDeployment) => Promise<Sinking>;

const hostOf = ({ forged: { owner, ownerId, organizationId } }: SsoDeployment): Host => ({
  client: owner,
  userId: ownerId,
  organizationId,
});
const of = (host: Host, path: string) => `/v1/orgs/${host.organizationId}${path}`;
const member = async ({ at, forged }: SsoDeployment) => (await memberWith(at, forged.organizationId, "member")).userId;

/** Awaits a response without a problem. */
async function done(response: Promise<{ readonly status: number; readonly text: string }>): Promise<void> {
  const { status, text } = await response;
  expect([status < 300, text]).toEqual([true, text]);
}

/** A member with a role that a group grants. */
async function grouped(sso: SsoDeployment) {
  const host = hostOf(sso);
  const [personId, role] = [await member(sso), await createdRole(host, ["audit.read"])];
  const { body } = await host.client.post(of(host, "/groups"), { name: newRoleKey(), role_ids: [role.id] });
  const group = of(host, `/groups/${body.id}`);
  await done(host.client.put(`${group}/members/${personId}`, { confirm: true }));
  return { host, personId, group };
}

/** A member with an assigned role. */
async function assigned(sso: SsoDeployment) {
  const host = hostOf(sso);
  const [personId, role] = [await member(sso), await createdRole(host, ["audit.read"])];
  await done(assignRoles(host, host.organizationId, personId, [role.id]));
  return { host, personId, role };
}

/** A member with a template of the platform. */
async function templated(sso: SsoDeployment) {
  const host = hostOf(sso);
  const { client: platform } = await steppedUpAdmin(sso.at);
  const template = { key: newRoleKey(), name: "Template", permissions: ["audit.read"] };
  const { body } = await platform.post("/v1/admin/roles", template);
  const personId = await member(sso);
  await done(assignRoles(host, host.organizationId, personId, [body.id]));
  return { platform, personId, path: `/v1/admin/roles/${body.id}` };
}

/** A member with a role that a rule for single sign-on grants. */
async function ruled(sso: SsoDeployment) {
  const { at, forged } = sso;
  const role = await createdRole(hostOf(sso), ["audit.read"]);
  await setPolicy(at, forged.organizationId, { roleRules: [{ from: "groups", value: "audit", role: role.key }] });
  await changeConnection(at, forged.connectionId, { config: { groups_from: "groups" } });
  const subject = newRoleKey();
  const enter = async (groups: readonly string[]) => {
    forged.provider.claims = { sub: subject, email: `${subject}@${forged.domain}`, groups };
    const { body } = await new SsoBrowser(at.one.url).enter(forged.connectionId);
    return String(body.user.user_id);
  };
  return { personId: await enter(["audit"]), enter };
}

export const POWER_WAYS = {
  lower_role: async (sso) => {
    const { client, organizationId } = hostOf(sso);
    const { userId: personId } = await memberWith(sso.at, organizationId, "admin");
    const path = `/v1/orgs/${organizationId}/members/${personId}`;
    return { personId, sink: () => done(client.patch(path, { role: "member" })) };
  },
  withdrawn_role: async (sso) => {
    const { host, personId } = await assigned(sso);
    return { personId, sink: () => done(assignRoles(host, host.organizationId, personId, [])) };
  },
  narrowed_role: async (sso) => {
    const { host, personId, role } = await assigned(sso);
    return { personId, sink: () => done(host.client.patch(of(host, `/roles/${role.id}`), { permissions: [] })) };
  },
  deleted_role: async (sso) => {
    const { host, personId, role } = await assigned(sso);
    return {
      personId,
      sink: () => done(host.client.request("DELETE", of(host, `/roles/${role.id}`), { body: { reassign: true } })),
    };
  },
  narrowed_template: async (sso) => {
    const { platform, personId, path } = await templated(sso);
    return { personId, sink: () => done(platform.patch(path, { permissions: [] })) };
  },
  deleted_template: async (sso) => {
    const { platform, personId, path } = await templated(sso);
    return { personId, sink: () => done(platform.request("DELETE", path, { body: { reassign: true } })) };
  },
  left_group: async (sso) => {
    const { host, personId, group } = await grouped(sso);
    return { personId, sink: () => done(host.client.delete(`${group}/members/${personId}`)) };
  },
  group_without_roles: async (sso) => {
    const { host, personId, group } = await grouped(sso);
    return { personId, sink: () => done(host.client.patch(group, { role_ids: [] })) };
  },
  deleted_group: async (sso) => {
    const { host, personId, group } = await grouped(sso);
    return { personId, sink: () => done(host.client.delete(group)) };
  },
  removed_rule: async (sso) => {
    const { personId } = await ruled(sso);
    const host = hostOf(sso);
    return { personId, sink: () => done(host.client.put(of(host, "/sso/policy"), { mode: "optional" })) };
  },
  sign_in_without_value: async (sso) => {
    const { personId, enter } = await ruled(sso);
    return { personId, sink: () => enter([]) };
  },
  return_as_member: async (sso) => {
    const { client, organizationId } = hostOf(sso);
    const { userId: personId, ...person } = await memberWith(sso.at, organizationId, "admin");
    const sink = async () => {
      await done(client.delete(`/v1/orgs/${organizationId}/members/${personId}`));
      await done(invite(client, organizationId, person.email, "member"));
      await done(accept(person.client, await tokenTo(sso.at.mail, person.email, INVITE_LINK)));
    };
    return { personId, sink };
  },
  revoked_platform_role: async (sso) => {
    const personId = await member(sso);
    await sso.at.sql`update users set platform_role = 'admin' where id = ${personId}`;
    return { personId, sink: () => sso.at.sql`update users set platform_role = null where id = ${personId}` };
  },
  weaker_activator: async (sso) => {
    const { userId: personId } = await memberWith(sso.at, sso.forged.organizationId, "admin");
    const other = await member(sso);
    const { connectionId } = sso.forged;
    return {
      personId,
      sink: () => sso.at.sql`
      update sso_connections set activated_by = ${other} where id = ${connectionId}`,
    };
  },
  ended_acceptance: async (sso) => {
    const personId = await member(sso);
    const { connectionId } = sso.forged;
    const power = { role: "member", granted: ["audit.read"], activatedBy: personId };
    await sso.at.sql`
      update sso_connections set activated_by = ${personId}, confirmed_power = ${sso.at.sql.json(power)}
      where id = ${connectionId}`;
    return {
      personId,
      sink: () => sso.at.sql`
      update sso_connections set confirmed_power = null where id = ${connectionId}`,
    };
  },
  statement_of_an_earlier_release: async (sso) => {
    const { personId } = await assigned(sso);
    return { personId, sink: () => sso.at.sql`delete from member_roles where user_id = ${personId}` };
  },
} as const satisfies Readonly<Record<string, PowerWay>>;

export type PowerWayName = keyof typeof POWER_WAYS;

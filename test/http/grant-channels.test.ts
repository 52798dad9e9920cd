/**
 * Grants by a stronger member through a channel that a weaker member holds (G282, docs/contract.md, section 32.9): the
 * grant is refused with the names of the people, and passes with a confirmation, which the owners learn by mail.
 */
import { beforeAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { type Deployment, deployment } from "../support/deployment.ts";
import { directoryOf, groupBody } from "../support/directories.ts";
import { assignRoles, createdRole } from "../support/roles.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { storeConnection, storePolicy } from "../support/sso-connections.ts";
import { assignResponsibility, deleteMemberships, presentFactor } from "../support/states.ts";
import { memberWith } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const auditOf = async (organizationId: string, action: string) => {
  const [record] = await at.sql`
    select metadata from audit_logs where organization_id = ${organizationId} and action = ${action}
    order by id desc limit 1`;
  return record?.metadata;
};

const refusedOf = ({ status, body }: { status: number; body: { error?: { code?: string; channels?: unknown } } }) => ({
  status,
  code: body.error?.code,
  channels: body.error?.channels,
});

test("An admin's key fills the group: a strong role names the admin, and an owner confirms.", async () => {
  const owner = await directoryOf(at);
  const { organizationId, client, scim, place } = owner;
  const admin = await memberWith(at, organizationId, "admin");
  await presentFactor(at.sql, admin.userId);
  const { id: keyId } = await keyOf(admin.client, accountsOf(organizationId), ["scim.write"]);
  const role = await createdRole(owner, ["policies.manage"]);
  const group = await scim("POST", "/Groups", groupBody("Security"));
  const path = `${place}/groups/${group.body.id}`;
  const mapping = { role: null, role_ids: [role.id] };
  const person = { id: admin.userId, name: admin.email };
  expect(refusedOf(await client.patch(path, mapping))).toMatchObject({
    status: 409,
    code: "conflict",
    channels: [{ kind: "directory_key", id: keyId, person }],
  });
  expect((await at.sql`select 1 from directory_group_roles where group_id = ${group.body.id}`).length).toBe(0);
  expect((await client.patch(path, { role: "admin" })).status).toBe(200);
  expect((await client.patch(path, { ...mapping, confirm: true })).status).toBe(200);
  const [mail] = await at.mail.mailsTo(owner.email, /were granted, although/);
  expect(mail?.text).toContain(admin.email.split("@")[0] ?? "");
  expect(await auditOf(organizationId, "directory_group.role_mapped")).toMatchObject({
    accepted_channels: `directory_key:${keyId}`,
  });
});

test("A manager's provider asserts the group: a rule with a strong role names the manager.", async () => {
  const owner = await steppedUpOwner(at);
  const { organizationId, client } = owner;
  const manager = await memberWith(at, organizationId, "member");
  const sso = await createdRole(owner, ["sso.manage"]);
  await assignRoles(owner, organizationId, manager.userId, [sso.id]);
  const connectionId = await storeConnection(at.sql, organizationId);
  await assignResponsibility(at.sql, connectionId, manager.userId);
  await storePolicy(at.sql, organizationId, {});
  const strong = await createdRole(owner, ["policies.manage"]);
  const path = `/v1/orgs/${organizationId}/sso/policy`;
  const policy = { mode: "optional", role_rules: [{ from: "groups", value: "security", role: strong.key }] };
  const refused = refusedOf(await client.put(path, policy));
  expect(refused).toMatchObject({ status: 409, channels: [{ kind: "role_rule", id: connectionId }] });
  expect(refusedOf(await client.put(path, { mode: "optional", default_role: "admin" }))).toMatchObject({
    status: 409,
    channels: [{ kind: "default_role", id: connectionId }],
  });
  expect((await client.put(path, { ...policy, confirm: true })).status).toBe(200);
  const [row] = await at.sql`select confirmed_power from sso_connections where id = ${connectionId}`;
  expect(row?.confirmed_power).toEqual({ activatedBy: manager.userId, role: "member", granted: ["policies.manage"] });
  // The confirmed role is no more a question; a further role is.
  expect((await client.put(path, { ...policy, jit: "off" })).status).toBe(200);
  const further = await client.patch(`/v1/orgs/${organizationId}/roles/${strong.id}`, {
    permissions: ["policies.manage", "support.grant"],
  });
  expect(refusedOf(further)).toMatchObject({ status: 409, channels: [{ kind: "role_rule", id: connectionId }] });
  // The confirmation was for the identity provider of the time: a change of the trust ends the confirmation.
  const connection = `/v1/orgs/${organizationId}/sso/connections/${connectionId}`;
  expect((await client.patch(connection, { clock_skew_seconds: 10 })).status).toBe(200);
  const [changed] = await at.sql`select confirmed_power from sso_connections where id = ${connectionId}`;
  expect(changed?.confirmed_power).toBeNull();
});

test("A member's domain: open joining with the role admin names the member.", async () => {
  const owner = await steppedUpOwner(at);
  const { organizationId, client } = owner;
  const claimant = await memberWith(at, organizationId, "member");
  const domain = `${randomUUID()}.test`;
  const id = randomUUID();
  await at.sql`
    insert into organization_domains (id, organization_id, domain, token, status, claimed_by, created_at, verified_at)
    values (${id}, ${organizationId}, ${domain}, 'token', 'verified', ${claimant.userId}, now(), now())`;
  await storePolicy(at.sql, organizationId, { defaultRole: "admin" });
  const path = `/v1/orgs/${organizationId}/policies`;
  expect(refusedOf(await client.put(path, { domain_join: "join" }))).toMatchObject({
    status: 409,
    channels: [{ kind: "claimed_domain", id, name: domain, person: { id: claimant.userId } }],
  });
  expect((await client.put(path, { domain_join: "join", confirm: true })).status).toBe(200);
});

test("A member's domain: roles by single sign-on for users of the domain name the member (G371).", async () => {
  const owner = await steppedUpOwner(at);
  const { organizationId, client } = owner;
  const claimant = await memberWith(at, organizationId, "member");
  const id = randomUUID();
  await at.sql`
    insert into organization_domains (id, organization_id, domain, token, status, claimed_by, created_at, verified_at)
    values (${id}, ${organizationId}, ${`${id}.test`}, 'token', 'verified', ${claimant.userId}, now(), now())`;
  const path = `/v1/orgs/${organizationId}/sso/policy`;
  const strong = await createdRole(owner, ["audit.read"]);
  const rules = { role_rules: [{ from: "groups", value: "security", role: strong.key }] };
  const named = { status: 409, channels: [{ kind: "claimed_domain", id, person: { id: claimant.userId } }] };
  expect(refusedOf(await client.put(path, { mode: "optional", default_role: "admin" }))).toMatchObject(named);
  expect(refusedOf(await client.put(path, { mode: "optional", ...rules }))).toMatchObject(named);
  // Without new users nobody gets a role by the domain; the later opening gives the earlier rules.
  expect((await client.put(path, { mode: "optional", jit: "off", ...rules })).status).toBe(200);
  const widened = { permissions: ["audit.read", "policies.manage"] };
  const role = `/v1/orgs/${organizationId}/roles/${strong.id}`;
  expect((await client.patch(role, widened)).status).toBe(200);
  expect(refusedOf(await client.put(path, { mode: "optional", jit: "on", ...rules }))).toMatchObject(named);
  expect((await client.put(path, { mode: "optional", jit: "on", ...rules, confirm: true })).status).toBe(200);
  const further = await client.patch(role, { permissions: [...widened.permissions, "support.grant"] });
  expect(refusedOf(further)).toMatchObject(named);
});

test("A later rule names the manager who chose the claim, also after the end of the account (G372).", async () => {
  const owner = await steppedUpOwner(at);
  const { organizationId, client, userId } = owner;
  const manager = await memberWith(at, organizationId, "member");
  const sso = await createdRole(owner, ["sso.manage"]);
  await assignRoles(owner, organizationId, manager.userId, [sso.id]);
  await presentFactor(at.sql, manager.userId);
  const connectionId = await storeConnection(at.sql, organizationId);
  await assignResponsibility(at.sql, connectionId, userId);
  await storePolicy(at.sql, organizationId, {});
  const strong = await createdRole(owner, ["policies.manage"]);
  const path = `/v1/orgs/${organizationId}/sso/policy`;
  const connection = `/v1/orgs/${organizationId}/sso/connections/${connectionId}`;
  const policy = { mode: "optional", role_rules: [{ from: "groups", value: "security", role: strong.key }] };
  const none = { mode: "optional", role_rules: [] };
  expect((await client.put(path, policy)).status).toBe(200);
  expect((await manager.client.patch(connection, { groups_from: "nickname" })).status).toBe(403);
  expect((await client.put(path, none)).status).toBe(200);
  expect((await manager.client.patch(connection, { groups_from: "nickname" })).status).toBe(200);
  const named = (person: unknown) => ({ status: 409, channels: [{ kind: "role_rule", id: connectionId, person }] });
  expect(refusedOf(await client.put(path, policy))).toMatchObject(named({ id: manager.userId }));
  // The activator stays responsible for links: the default role needs no confirmation.
  expect((await client.put(path, { ...none, default_role: "admin" })).status).toBe(200);
  expect((await client.put(path, { ...policy, confirm: true })).status).toBe(200);
  // A confirmation is for the claim of that time.
  expect((await client.put(path, none)).status).toBe(200);
  expect((await manager.client.patch(connection, { groups_from: "department" })).status).toBe(200);
  expect(refusedOf(await client.put(path, policy))).toMatchObject(named({ id: manager.userId }));
  await deleteMemberships(at.sql, manager.userId);
  await at.sql`update sso_connections set claims_set_by = null where id = ${connectionId}`;
  expect(refusedOf(await client.put(path, policy))).toMatchObject(named(null));
  expect((await client.patch(connection, { groups_from: "groups" })).status).toBe(200);
  expect((await client.put(path, policy)).status).toBe(200);
});

test("A role and a group for a member whom a weaker manager's provider signs in name the manager.", async () => {
  const owner = await steppedUpOwner(at);
  const { organizationId, client } = owner;
  const [manager, member] = [
    await memberWith(at, organizationId, "member"),
    await memberWith(at, organizationId, "member"),
  ];
  const connectionId = await storeConnection(at.sql, organizationId);
  await assignResponsibility(at.sql, connectionId, manager.userId);
  await at.sql`
    insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at, last_used_at)
    values (${randomUUID()}, ${connectionId}, sha256('one'), 'one', ${member.userId}, 'domain', now(), now())`;
  const role = await createdRole(owner, ["audit.read"]);
  const channels = [{ kind: "linked_identity", id: connectionId, person: { id: manager.userId } }];
  const roles = `/v1/orgs/${organizationId}/members/${member.userId}/roles`;
  expect(refusedOf(await client.put(roles, { role_ids: [role.id] }))).toMatchObject({ status: 409, channels });
  const group = await client.post(`/v1/orgs/${organizationId}/groups`, { name: "Auditors", role_ids: [role.id] });
  const place = `/v1/orgs/${organizationId}/groups/${group.body.id}/members/${member.userId}`;
  expect(refusedOf(await client.put(place))).toMatchObject({ status: 409, channels });
  expect((await client.put(place, { confirm: true })).status).toBe(204);
  expect((await client.put(roles, { role_ids: [role.id] })).status).toBe(200);
  const promotion = `/v1/orgs/${organizationId}/members/${member.userId}`;
  expect(refusedOf(await client.patch(promotion, { role: "owner" }))).toMatchObject({ status: 409, channels });
});

test("An organization whose owners hold every channel grants without a further step.", async () => {
  const owner = await directoryOf(at);
  const { organizationId, client, scim, place } = owner;
  await storeConnection(at.sql, organizationId);
  const role = await createdRole(owner, ["policies.manage"]);
  const group = await scim("POST", "/Groups", groupBody("Security"));
  expect((await client.patch(`${place}/groups/${group.body.id}`, { role: "admin", role_ids: [role.id] })).status).toBe(
    200,
  );
  const rules = [{ from: "groups", value: "security", role: role.key }];
  const policy = { mode: "optional", default_role: "admin", role_rules: rules };
  expect((await client.put(`/v1/orgs/${organizationId}/sso/policy`, policy)).status).toBe(200);
});

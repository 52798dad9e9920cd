/** Custom roles of an organization and their holders, over HTTP. */
import { expect } from "bun:test";
import type { Client } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import { steppedUpOwner } from "./service-accounts.ts";
import { memberWith } from "./team.ts";

export const rolesOf = (organizationId: string) => `/v1/orgs/${organizationId}/roles`;
let keys = 0;
/** A key that no other role of the deployment has: tests share the deployment. */
export const newRoleKey = () => `role-${process.pid}-${++keys}`;

export interface Person {
  readonly client: Client;
  readonly userId: string;
}

export type Host = Person & { readonly organizationId: string };

export async function createdRole(host: Host, permissions: readonly string[]) {
  const body = { key: newRoleKey(), name: "Role", permissions };
  const response = await host.client.post(rolesOf(host.organizationId), body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return { id: String(response.body.id), key: String(response.body.key) };
}

export function assignRoles(caller: Person, organizationId: string, userId: string, roleIds: readonly unknown[]) {
  return caller.client.put(`/v1/orgs/${organizationId}/members/${userId}/roles`, { role_ids: roleIds });
}

/** The permissions of a session in its organization. */
export async function permissionsOf(client: Client): Promise<readonly string[]> {
  return (await client.get("/v1/auth/session")).body.capabilities.permissions;
}

/** A member of the organization, in a session there. */
export async function memberInSession(at: Deployment, { organizationId }: Pick<Host, "organizationId">) {
  const member = await memberWith(at, organizationId, "member");
  const moved = await member.client.post("/v1/auth/organization", { organization_id: organizationId });
  expect(moved.status).toBe(200);
  return member;
}

/** A member of the organization, in a session there, with a role of the permissions. */
export async function memberHolding(at: Deployment, host: Host, permissions: readonly string[]) {
  const member = await memberInSession(at, host);
  const role = await createdRole(host, permissions);
  expect((await assignRoles(host, host.organizationId, member.userId, [role.id])).status).toBe(200);
  return { ...member, role };
}

/** A member of the organization, with a step-up, with a role of the permissions. */
export async function steppedUpMemberHolding(at: Deployment, owner: Host, permissions: readonly string[]) {
  const member = await steppedUpOwner(at);
  await at.sql`insert into members values (${owner.organizationId}, ${member.userId}, 'member', now())`;
  const role = await createdRole(owner, permissions);
  expect((await assignRoles(owner, owner.organizationId, member.userId, [role.id])).status).toBe(200);
  return member;
}

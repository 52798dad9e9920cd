/** Roles, a template and a group of the demo organization, with a holder by assignment and by group. */
import type { Client } from "../support/client.ts";

interface RoleSite {
  readonly client: Client;
  readonly organizationId: string;
  readonly memberId: string;
}

export async function fillRoles({ client, organizationId, memberId }: RoleSite): Promise<Record<string, string>> {
  const base = `/v1/orgs/${organizationId}`;
  const create = async (path: string, body: object): Promise<string> => {
    const created = await client.post(path, body);
    if (created.status !== 201) throw new Error(`the demo expected ${path}, got ${created.status}: ${created.text}`);
    return String(created.body.id);
  };
  const template = await create("/v1/admin/roles", {
    key: "auditor",
    name: "Auditor",
    description: "Reads the audit trail",
    permissions: ["audit.read"],
  });
  const role = await create(`${base}/roles`, {
    key: "approver",
    name: "Approver",
    description: "Approves invoices",
    permissions: ["invoices.approve", "members.invite"],
  });
  await create(`${base}/roles`, { key: "recruiter", name: "Recruiter", permissions: ["members.invite"] });
  const group = await create(`${base}/groups`, { name: "Accounting", role_ids: [role] });
  const requests = [
    await client.put(`${base}/groups/${group}/members/${memberId}`, {}),
    await client.put(`${base}/members/${memberId}/roles`, { role_ids: [role] }),
    await client.post(`${base}/invitations`, { email: "joan@analytical.example", role: "member", role_ids: [role] }),
  ];
  const failed = requests.find(({ status }) => status >= 300);
  if (failed) throw new Error(`the demo expected roles, got ${failed.status}: ${failed.text}`);
  return { role, template, group };
}

/** Who reads and ends what another person created, and the notice about a removal (contract.md, 13.12). */
import { beforeAll, describe, expect, test } from "bun:test";
import { type Deployment, deployment, ownDeployment } from "../support/deployment.ts";
import { directoryOf } from "../support/directories.ts";
import { assignRoles, createdRole } from "../support/roles.ts";
import { proveMailbox } from "../support/states.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";
import { eventually } from "../support/waiting.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

/** An organization with a directory key and a webhook of the first owner, a second owner, and a weaker remover. */
async function organization() {
  const directory = await directoryOf(at);
  const { client, organizationId, userId } = directory;
  const url = "https://hooks.example.com/services/T0/B0/SECRET?token=SECRET";
  const hook = await client.post(`/v1/orgs/${organizationId}/webhooks`, { url, event_types: ["member.removed"] });
  expect(hook.status).toBe(201);
  const second = await memberWith(at, organizationId, "owner");
  const weak = await memberWith(at, organizationId, "member");
  const role = await createdRole(directory, ["members.remove"]);
  expect((await assignRoles(directory, organizationId, weak.userId, [role.id])).status).toBe(200);
  for (const { client: person } of [second, weak])
    expect((await person.post("/v1/auth/organization", { organization_id: organizationId })).status).toBe(200);
  const creations = (id: string) => `/v1/orgs/${organizationId}/members/${id}/creations`;
  const remove = async (id: string) =>
    expect((await second.client.delete(`/v1/orgs/${organizationId}/members/${id}`)).status).toBe(204);
  const hooks = async () => {
    const rows = await at.sql`select enabled from webhooks where organization_id = ${organizationId}`;
    return rows.map(({ enabled }) => enabled);
  };
  return { ...directory, userId, second, weak, creations, remove, hooks };
}

describe("a person with members.remove alone", () => {
  test("reads the host of a webhook, and never the path or query, in the list and in the mail (G365).", async () => {
    const { weak, creations, userId, second, remove } = await organization();
    const { status, body, text } = await weak.client.get(creations(userId));
    expect(status).toBe(200);
    const hook = body.items.find(({ kind }: { kind: string }) => kind === "webhook");
    expect(hook.name).toBe("hooks.example.com");
    expect(text).not.toContain("SECRET");
    await remove(userId);
    const [mail] = await at.mail.mailsTo(second.email, /\/team\/members\/[0-9a-f-]{36}\/creations/);
    expect(mail?.text).toContain("hooks");
    expect(mail?.text).not.toContain("SECRET");
  });

  test("403: ends nothing of a departed owner; an owner does (G365).", async () => {
    const { weak, creations, userId, second, remove, hooks, scim } = await organization();
    await remove(userId);
    expect((await weak.client.delete(creations(userId))).status).toBe(403);
    expect([(await scim("GET", "/Users")).status, await hooks()]).toEqual([200, [true]]);
    expect((await second.client.delete(creations(userId))).status).toBe(204);
    expect([(await scim("GET", "/Users")).status, await hooks()]).toEqual([401, [false]]);
  });

  test("ends what a former member without more power created, by the power that was kept (G365).", async () => {
    const { weak, creations, userId, organizationId, remove, keyId } = await organization();
    const plain = await memberWith(at, organizationId, "member");
    const admin = await memberWith(at, organizationId, "admin");
    for (const [person, expected] of [
      [admin, 403],
      [plain, 204],
    ] as const) {
      await at.sql`
        insert into sso_connections (id, organization_id, protocol, name, preset, status, config, revision,
                                     activated_by, created_by, created_at, updated_at)
        values (gen_random_uuid(), ${organizationId}, 'oidc', 'Company ID', 'custom', 'inactive', '{}'::jsonb, 1,
                ${person.userId}, ${userId}, now(), now())`;
      await at.sql`update api_keys set created_by = ${person.userId} where id = ${keyId}`;
      await remove(person.userId);
      expect((await weak.client.delete(creations(person.userId))).status).toBe(expected);
      const [key] = await at.sql`select revoked_at is not null as ended from api_keys where id = ${keyId}`;
      expect(key?.ended).toBe(expected === 204);
    }
  });
});

test("401: DELETE of creations needs a step-up, and changes nothing without one (G365).", async () => {
  const { second, creations, userId, remove, hooks, scim } = await organization();
  await remove(userId);
  await stepUpSessions(at.sql, second.userId, "an hour ago");
  await second.client.post("/v1/auth/refresh");
  const refused = await second.client.delete(creations(userId));
  expect([refused.status, refused.body.error.code]).toEqual([401, "mfa_required"]);
  expect([(await scim("GET", "/Users")).status, await hooks()]).toEqual([200, [true]]);
});

test("Notices about other people displace no held notice about the creations of a person (G365).", async () => {
  const own = await ownDeployment({ SERVICE_RATE_LIMITS: "on", SERVICE_RATE_LIMIT_MAIL_NETWORK: "1/3600" });
  const { organizationId, userId, email, keyId } = await directoryOf(own);
  await proveMailbox(own.sql, userId);
  await own.sql`update user_emails set verified_at = now(), controlled_at = now() where user_id = ${userId}`;
  const [manager, decoy, removed] = [
    await memberWith(own, organizationId, "admin"),
    await memberWith(own, organizationId, "member"),
    await memberWith(own, organizationId, "admin"),
  ];
  await manager.client.post("/v1/auth/organization", { organization_id: organizationId });
  await own.sql`update api_keys set created_by = ${removed.userId} where id = ${keyId}`;
  await own.sql`
    insert into webhooks (id, organization_id, created_by, url, event_types, enabled, sealed_secret, created_at,
                          updated_at)
    values (gen_random_uuid(), ${organizationId}, ${decoy.userId}, 'https://hooks.example.com/', '{member.removed}',
            true, decode('00', 'hex'), now(), now())`;
  const member = (id: string) => `/v1/orgs/${organizationId}/members/${id}`;
  const lower = async () => {
    for (const role of ["admin", "member"])
      expect((await manager.client.patch(member(decoy.userId), { role })).status).toBe(200);
  };
  await lower();
  await lower();
  expect((await manager.client.delete(member(removed.userId))).status).toBe(204);
  await lower();
  await eventually("every notice is released", 30_000, async () => {
    await own.sql`delete from email_log`;
    await own.sql`update outbox set next_attempt_at = now() where held`;
    return (await own.sql`select 1 from outbox`).length === 0;
  });
  const mails = own.mail.delivered.filter(({ to }) => to.includes(email));
  expect(mails.filter(({ text }) => text.includes(`/team/members/${removed.userId}/creations`))).toHaveLength(1);
  expect(mails.some(({ text }) => text.includes(`/team/members/${decoy.userId}/creations`))).toBe(true);
}, 60_000);

/** The email about what members created whose roles by single sign-on end (G419). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { unlinkSsoIdentity } from "../../../../src/flows/sso/identities/unlink.ts";
import { replacePolicy } from "../../../../src/flows/sso/policy/replace.ts";
import { authorizePermission } from "../../../../src/flows/steps/authorization/authorize-member.ts";
import { ROLE_WITHDRAWAL_BATCH } from "../../../../src/limits/role-limits.ts";
import { DEFAULT_SSO_POLICY } from "../../../../src/models/sso-policy/sso-policy.ts";
import { callerOf, clientAt, codeOf, registerAccount, unwrap } from "../../../support/accounts.ts";
import { creationMails, inviteBy } from "../../../support/creation-mails.ts";
import { type Flows, openFlows } from "../../../support/flows.ts";
import { storeConnection } from "../../../support/sso-connections.ts";

let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

/** Members with a role by single sign-on that no rule grants any more; the first and the last sent an invitation. */
async function organizationWithHolders(count: number) {
  const { sql, deps } = flows;
  const { email, organizationId, signedIn } = await registerAccount(flows);
  const rows = await sql`
    with role as (
      insert into organization_roles (id, organization_id, key, name, description, permissions, created_at, updated_at)
      select uuidv7(), ${organizationId}::uuid, 'auditors', 'Auditors', '', '{audit.read}', now(), now() returning id
    ),
    people as (
      insert into users (id, email, email_verified_at, created_at, updated_at)
      select uuidv7(), n || '@' || ${organizationId}::text || '.test', now(), now(), now()
      from generate_series(1, ${count}::int) n returning id
    ),
    joined as (
      insert into members (organization_id, user_id, role, joined_at)
      select ${organizationId}::uuid, id, 'member', now() from people
    )
    insert into member_roles (organization_id, user_id, role_id, source, granted_at)
    select ${organizationId}::uuid, people.id, role.id, 'sso', now() from people, role returning user_id as id`;
  const userIds = rows.map(({ id }) => String(id)).sort();
  await inviteBy(flows, organizationId, [...new Set([userIds.at(0), userIds.at(-1)])].map(String));
  const session = await callerOf(flows, signedIn);
  const callerWith = async (permission: "policies.manage" | "sso.manage") =>
    unwrap(await authorizePermission(deps, session, organizationId, permission));
  return { organizationId, userIds, callerWith, mails: creationMails(flows, email) };
}

test("A removed rule withdraws roles in several transactions, with one email that the outbox finds.", async () => {
  const { callerWith, mails } = await organizationWithHolders(ROLE_WITHDRAWAL_BATCH + 1);
  const policy = { caller: await callerWith("policies.manage"), settings: DEFAULT_SSO_POLICY, client: clientAt() };
  expect(codeOf(await replacePolicy(mails.deps, policy))).toBe("ok");
  expect(await mails.kinds()).toEqual(["members_creations"]);
  expect(await mails.foundByOutbox()).toEqual(["members_creations"]);
});

test("A withdrawal that stops between two transactions mails the members until then, the next the rest.", async () => {
  const { organizationId, callerWith, mails } = await organizationWithHolders(ROLE_WITHDRAWAL_BATCH + 1);
  const policy = { caller: await callerWith("policies.manage"), settings: DEFAULT_SSO_POLICY, client: clientAt() };
  const announce = async () => {
    const rest = await flows.sql`select 1 from member_roles where organization_id = ${organizationId}`;
    if (rest.length === 1) throw new Error("Redis is away");
  };
  const failing = { ...mails.deps, revocations: { ...flows.deps.revocations, announce } };
  await expect(replacePolicy(failing, policy)).rejects.toThrow("Redis is away");
  expect(await mails.foundByOutbox()).toEqual(["member_creations"]);
  expect(codeOf(await replacePolicy(mails.deps, policy))).toBe("ok");
  expect(await mails.kinds()).toEqual(["member_creations", "member_creations"]);
});

test("An unlinked identity withdraws the roles of the user, with an email that the outbox finds.", async () => {
  const { organizationId, userIds, callerWith, mails } = await organizationWithHolders(1);
  const { sql } = flows;
  const [connectionId, id] = [await storeConnection(sql, organizationId), randomUUID()];
  await sql`
    insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at, last_used_at)
    values (${id}, ${connectionId}, sha256('subject'), 'subject', ${String(userIds[0])}, 'domain', now(), now())`;
  const caller = { caller: await callerWith("sso.manage"), scope: { organizationId } };
  expect(codeOf(await unlinkSsoIdentity(mails.deps, { caller, id, client: clientAt() }))).toBe("ok");
  expect(await mails.foundByOutbox()).toEqual(["member_creations"]);
});

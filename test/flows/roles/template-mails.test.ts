/** The emails about creations after the deletion of a template with holders in many organizations (G419). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { removeRole } from "../../../src/flows/roles/administer-roles.ts";
import { authorizePlatformRole } from "../../../src/flows/steps/authorization/authorize-platform-role.ts";
import { POWER_CHECK_ORGANIZATIONS } from "../../../src/limits/power-limits.ts";
import { callerOf, clientAt, codeOf, registerAccount, unwrap } from "../../support/accounts.ts";
import { inviteBy } from "../../support/creation-mails.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { verifySessionsOf } from "../../support/platform.ts";
import { assignPlatformRole } from "../../support/states.ts";

let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

test("A deleted template ends everywhere, and mails the owners of at most 20 organizations (G419).", async () => {
  const { sql, deps } = flows;
  const { userId, signedIn } = await registerAccount(flows);
  const [template] = await sql`
    insert into organization_roles (id, organization_id, key, name, description, permissions, created_at, updated_at)
    values (uuidv7(), null, 'auditors', 'Auditors', '', '{audit.read}', now(), now()) returning id`;
  const id = String(template?.id);
  const owners = await sql`
    with founded as (
      insert into organizations (id, name, slug, tier, created_at, updated_at)
      select uuidv7(), 'Company', 'company-' || n, 'standard', now(), now()
      from generate_series(1, ${POWER_CHECK_ORGANIZATIONS + 1}::int) n returning id
    ),
    people as (
      insert into users (id, email, email_verified_at, created_at, updated_at)
      select id, id || '@owners.test', now(), now(), now() from founded
    )
    insert into members (organization_id, user_id, role, joined_at)
    select id, id, 'owner', now() from founded returning user_id as id`;
  const ownerIds = owners.map((each) => String(each.id));
  await sql`
    insert into member_roles (organization_id, user_id, role_id, source, granted_at)
    select id, id, ${id}::uuid, 'manual', now() from unnest(${ownerIds}::uuid[]) id`;
  for (const ownerId of ownerIds) await inviteBy(flows, ownerId, [ownerId]);
  await assignPlatformRole(sql, userId, "admin");
  await verifySessionsOf(flows, userId);
  const caller = unwrap(await authorizePlatformRole(deps, await callerOf(flows, signedIn), "admin"));
  const removal = { owner: { kind: "platform", caller }, client: clientAt(), id, reassign: true } as const;
  expect(codeOf(await removeRole(deps, removal))).toBe("ok");
  expect(await sql`select 1 from member_roles`).toHaveLength(0);
  const mails = await sql`select 1 from outbox where kind like 'member_creations:%'`;
  expect(mails).toHaveLength(POWER_CHECK_ORGANIZATIONS);
});

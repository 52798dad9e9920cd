/** A directory grants no role of the platform (docs/contract.md, section 5.6). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createDirectoryUser } from "../../../src/flows/directories/write-users.ts";
import { grantInitialOwner } from "../../../src/flows/steps/accounts/grant-initial-owner.ts";
import { registerAccount } from "../../support/accounts.ts";
import { flowDirectory } from "../../support/flow-directory.ts";
import { type Flows, openFlows } from "../../support/flows.ts";

let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

test("the proof of a directory makes no platform owner, at once and at a start", async () => {
  const { address, callerOf } = await flowDirectory(flows);
  const email = address("ops");
  const { userId } = await registerAccount(flows);
  await flows.sql`update users set email = ${email}, controlled_at = null where id = ${userId}`;
  const deps = { ...flows.deps, config: { ...flows.deps.config, initialOwnerEmail: email } };
  const body = { schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: email };
  expect(await createDirectoryUser(deps, await callerOf(), body)).toMatchObject({ ok: true, value: { userId } });
  expect(await flows.deps.database.run("user.set_platform_role", (sql) => grantInitialOwner(deps, sql))).toBe(false);
  const [user] = await flows.sql`
    select controlled_at is not null as controlled, platform_role from users where id = ${userId}`;
  expect(user).toEqual({ controlled: true, platform_role: null });
});

/** The initial owner of the platform against programs (docs/contract.md, sections 5.6 and 36.1). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD } from "../support/client.ts";
import { type OwnDeployment, ownDeployment } from "../support/deployment.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { type Program, program } from "../support/programs.ts";

const RESERVED = "first.owner@initial-owner.example";
const NEXT = "an entirely different password";
const SCOPES = ["users.write", "users.credentials", "users.recover", "users.delete", "organizations.write"];
let at: OwnDeployment;
let robot: Program;
beforeAll(async () => {
  at = await ownDeployment({ SERVICE_INITIAL_OWNER_EMAIL: RESERVED });
  robot = await program(at, SCOPES);
});

describe("the address of SERVICE_INITIAL_OWNER_EMAIL (G550)", () => {
  test("No organization begins with the address, by either form of the owner, in any spelling.", async () => {
    const admin = await steppedUpAdmin(at, "admin");
    for (const owner_email of [RESERVED, ` ${RESERVED.toUpperCase()}`]) {
      const fields = { organization_name: "Squatters", owner_email, owner_password: PASSWORD };
      expect((await robot.post("/v1/admin/orgs", fields)).status).toBe(403);
      expect((await admin.client.post("/v1/admin/orgs", fields)).status).toBe(403);
      const owner = { email: owner_email, delivery: "mail" };
      expect((await robot.post("/v1/admin/orgs", { organization_name: "Squatters", owner })).status).toBe(403);
    }
    expect(await at.sql`select 1 from users where email = ${RESERVED}`).toHaveLength(0);
    expect(await at.sql`select 1 from organizations where name = 'Squatters'`).toHaveLength(0);
  });

  test("A program changes nothing of the user who has the address, also as an additional one.", async () => {
    const visitor = new Client(at.one.url);
    const fields = { organization_name: "First", email: RESERVED, password: PASSWORD };
    expect((await visitor.post("/v1/auth/register", fields)).status).toBe(201);
    const [user] = await at.sql`select id from users where email = ${RESERVED}`;
    const holder = `/v1/admin/users/${user?.id}`;
    const attempts = async () => [
      (await robot.put(`${holder}/password`, { password: NEXT })).status,
      (await robot.put(`${holder}/email`, { email: newEmail(), email_verified: true })).status,
      (await robot.patch(holder, { display_name: "Changed" })).status,
      (await robot.delete(holder, {})).status,
      (await robot.delete(`${holder}/sessions`)).status,
      (await robot.post(`${holder}/send-verification`)).status,
      (await robot.post(`${holder}/send-password-reset`)).status,
      (await robot.post(`${holder}/mfa/reset`)).status,
    ];
    expect(await attempts()).toEqual(Array(8).fill(403));
    await at.sql`update users set email = ${newEmail()} where id = ${user?.id}`;
    await at.sql`
      insert into user_emails (user_id, email, "primary", verified_at, controlled_at, created_at)
      values (${user?.id}, ${RESERVED}, false, now(), now(), now())
      on conflict (user_id, email) do update set verified_at = now(), controlled_at = now()`;
    expect(await attempts()).toEqual(Array(8).fill(403));
    expect((await visitor.get("/v1/users/me")).status).toBe(200);
    expect(await at.sql`select 1 from users where id = ${user?.id} and display_name is null`).toHaveLength(1);
  });

  test("A platform admin keeps the powers of support: the end of the sessions of the user.", async () => {
    const admin = await steppedUpAdmin(at, "admin");
    const [user] = await at.sql`select user_id as id from user_emails where email = ${RESERVED}`;
    expect((await admin.client.delete(`/v1/admin/users/${user?.id}/sessions`)).status).toBe(204);
  });
});

/** Organizations and memberships by programs (docs/contract.md, section 36.3). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { tokenTo } from "../support/mail.ts";
import { platformUser } from "../support/platform.ts";
import { type Program, program } from "../support/programs.ts";
import { founded } from "../support/team.ts";

let at: Deployment;
let robot: Program;
beforeAll(async () => {
  at = await deployment();
  robot = await program(at, ["organizations.write", "members.add", "members.list", "users.credentials", "users.read"]);
});

const ORGS = "/v1/admin/orgs";
const memberOf = (organizationId: string, userId: string) => `${ORGS}/${organizationId}/members/${userId}`;
const RESET_LINK = /^http:\/\/localhost:3000\/reset-password\?token=([A-Za-z0-9_-]{43})$/m;
const named = () => ({ organization_name: `Acme ${crypto.randomUUID()}` });

async function setPassword(token: string, password: string) {
  return await new Client(at.one.url).post("/v1/auth/password/reset", { token, new_password: password });
}

describe("POST /v1/admin/orgs with an owner (G498)", () => {
  test("A program creates an organization for an existing user.", async () => {
    const person = await registered(at.one.url);
    const created = await robot.post(ORGS, { ...named(), owner: { user_id: person.userId } });
    expect([created.status, created.body.owner_user_id]).toEqual([201, person.userId]);
    const found = await robot.get(`${ORGS}/${created.body.organization_id}`);
    expect(found.body).toMatchObject({ slug: created.body.slug, suspended: false });
    expect((await person.client.get("/v1/users/me")).body.organizations).toContainEqual(
      expect.objectContaining({ id: created.body.organization_id, role: "owner" }),
    );
  });

  test("The new owner sets the password by the mailed link and signs in.", async () => {
    const email = newEmail();
    const created = await robot.post(ORGS, { ...named(), owner: { email, display_name: "Ada", delivery: "mail" } });
    expect([created.status, created.body.owner_ticket]).toEqual([201, undefined]);
    const token = await tokenTo(at.mail, email, RESET_LINK);
    expect((await setPassword(token, PASSWORD)).status).toBe(204);
    const { client } = await signedIn(at.one.url, email);
    const session = await client.get("/v1/users/me");
    expect(session.body.organizations).toEqual([
      expect.objectContaining({ id: created.body.organization_id, role: "owner" }),
    ]);
  });

  test("With delivery link the response alone has the link, for programs with users.credentials.", async () => {
    const email = newEmail();
    const created = await robot.post(ORGS, { ...named(), owner: { email, delivery: "link" } });
    const token = new URL(created.body.owner_ticket.url).searchParams.get("token") ?? "";
    expect((await setPassword(token, PASSWORD)).status).toBe(204);
    expect((await setPassword(token, PASSWORD)).status).toBe(401);
    expect((await signedIn(at.one.url, email)).client).toBeDefined();
    const mails = at.mail.delivered.filter(({ to, text }) => to.includes(email) && text.includes("/reset-password"));
    expect(mails).toEqual([]);
    const lesser = await program(at, ["organizations.write"]);
    const refused = await lesser.post(ORGS, { ...named(), owner: { email: newEmail(), delivery: "link" } });
    expect(refused.status).toBe(403);
  });

  test("Both forms, half a form, an unknown user and a taken address change nothing.", async () => {
    const person = await registered(at.one.url);
    const viewer = await platformUser(at, "viewer");
    const name = named();
    const refused: [object, number][] = [
      [{ owner: { user_id: person.userId }, owner_email: newEmail(), owner_password: PASSWORD }, 400],
      [{}, 400],
      [{ owner: {} }, 400],
      [{ owner: { email: newEmail() } }, 400],
      [{ owner: { user_id: person.userId, email: newEmail() } }, 400],
      [{ owner: { user_id: crypto.randomUUID() } }, 400],
      [{ owner: { email: person.email, delivery: "mail" } }, 409],
      [{ owner: { user_id: viewer.userId } }, 403],
    ];
    for (const [owner, status] of refused) {
      expect([owner, (await robot.post(ORGS, { ...name, ...owner })).status]).toEqual([owner, status]);
    }
    expect(await at.sql`select 1 from organizations where name = ${name.organization_name}`).toHaveLength(0);
  });

  test("Twenty parallel creations for one address leave one organization and one user.", async () => {
    const email = newEmail();
    const name = named();
    const answers = await race(() => robot.post(ORGS, { ...name, owner: { email, delivery: "mail" } }));
    expect(answers.filter(({ status }) => status === 201).length).toBe(1);
    expect(await at.sql`select 1 from organizations where name = ${name.organization_name}`).toHaveLength(1);
    expect(await at.sql`select 1 from users where email = ${email}`).toHaveLength(1);
  });
});

describe("PUT /v1/admin/orgs/:id/members/:user_id (G499)", () => {
  test("A user is added with an email, changed, and unchanged by a repetition.", async () => {
    const host = await founded(at);
    const person = await registered(at.one.url);
    const path = memberOf(host.organizationId, person.userId);
    expect((await robot.put(path)).status).toBe(201);
    await at.mail.mailsTo(person.email, /added your account/);
    const records = async () =>
      (await at.sql`select action from audit_logs where resource_id = ${person.userId} and action like 'member.%'`).map(
        ({ action }) => action,
      );
    expect(await records()).toEqual(["member.added"]);
    expect([(await robot.put(path)).status, (await robot.put(path, { role: "member" })).status]).toEqual([200, 200]);
    expect(await records()).toEqual(["member.added"]);
    const owner = await robot.put(path, { role: "owner" });
    expect([owner.status, owner.body.role]).toEqual([200, "owner"]);
    expect((await records()).sort()).toEqual(["member.added", "member.role_changed"]);
  });

  test("Twenty parallel additions leave one membership and one record; notify false sends no email.", async () => {
    const host = await founded(at);
    const person = await registered(at.one.url);
    const path = memberOf(host.organizationId, person.userId);
    const answers = await race(() => robot.put(path, { notify: false }));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
    const records = await at.sql`
      select 1 from audit_logs where resource_id = ${person.userId} and action = 'member.added'`;
    expect(records.length).toBe(1);
    expect(at.mail.delivered.filter(({ to, text }) => to.includes(person.email) && /added your/.test(text))).toEqual(
      [],
    );
  });

  test("The rules of the organization hold: suspension, active directory, unknown and protected users.", async () => {
    const person = await registered(at.one.url);
    const suspended = await founded(at);
    await at.sql`update organizations set suspended_at = now() where id = ${suspended.organizationId}`;
    expect((await robot.put(memberOf(suspended.organizationId, person.userId))).status).toBe(403);
    const synchronized = await founded(at);
    await at.sql`
      insert into directories (id, organization_id, status, default_role, outside_domains, role_source, revision,
                               created_at, updated_at)
      values (gen_random_uuid(), ${synchronized.organizationId}, 'active', 'member', 'refuse', 'groups', 1,
              now(), now())`;
    expect((await robot.put(memberOf(synchronized.organizationId, person.userId))).status).toBe(409);
    const host = await founded(at);
    expect((await robot.put(memberOf(host.organizationId, crypto.randomUUID()))).status).toBe(404);
    expect((await robot.put(memberOf(crypto.randomUUID(), person.userId))).status).toBe(404);
    const viewer = await platformUser(at, "viewer");
    expect((await robot.put(memberOf(host.organizationId, viewer.userId))).status).toBe(403);
    expect(
      await at.sql`select 1 from members where user_id = ${viewer.userId} and organization_id = ${host.organizationId}`,
    ).toHaveLength(0);
  });

  test("A program with members.add alone adds members, and no admin and no owner.", async () => {
    const adder = await program(at, ["members.add"]);
    const host = await founded(at);
    const person = await registered(at.one.url);
    const path = memberOf(host.organizationId, person.userId);
    for (const role of ["admin", "owner"]) expect((await adder.put(path, { role })).status).toBe(403);
    expect((await adder.put(path)).status).toBe(201);
    for (const role of ["admin", "owner"]) expect((await adder.put(path, { role })).status).toBe(403);
  });
});

import { beforeAll, describe, expect, test } from "bun:test";
import { verifyRecord } from "../../clients/js/src/audit.ts";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, eventually, race } from "../support/deployment.ts";
import { CODE, codeIn, tokenTo } from "../support/mail.ts";
import { withAuthenticator } from "../support/mfa.ts";
import { platformUser } from "../support/platform.ts";
import { ageFactor, deletePassword, enterEnterprise, presentFactor } from "../support/states.ts";
import { placesOf } from "../support/stored-text.ts";
import { founded, joinedAs, memberOf } from "../support/team.ts";
import { addAddress, changeAddress, expectStatus, provenUser, undo } from "../support/user-emails.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const CANCEL_LINK = /^http:\/\/localhost:3000\/cancel-deletion\?token=([A-Za-z0-9_-]{43})$/m;
const ERASURE_MS = 60_000;
const remove = (client: Client, body: Record<string, unknown> = { password: PASSWORD }) =>
  client.post("/v1/users/me/deletion", body);
const cancel = (url: string, token: string) => new Client(url).post("/v1/auth/deletion/cancel", { token });
const exists = async (table: "users" | "organizations", id: string) =>
  (await at.sql`select 1 from ${at.sql(table)} where id = ${id}`).length > 0;
/** Moves the erasure into the past, and waits until a replica has erased the user or organization. */
async function erased(table: "users" | "organizations", id: string): Promise<void> {
  await at.sql`
    update deletions set due_at = now() - interval '1 second'
    where subject_id = ${id} or parent_id in (select id from deletions where subject_id = ${id})`;
  await eventually("the erasure", ERASURE_MS, async () => !(await exists(table, id)));
}

describe("POST /v1/users/me/deletion", () => {
  test("202: sessions end at once on every replica, no sign-in works, and the link cancels once (G131)", async () => {
    const { client, email, userId, organizationId } = await provenUser(at);
    const second = (await signedIn(at.other.url, email)).client;
    const response = await remove(client);
    expect(response.status).toBe(202);
    expect(response.body.organizations).toMatchObject([{ id: organizationId }]);
    const days = (Date.parse(response.body.deletion_at) - Date.parse(response.body.requested_at)) / 86_400_000;
    expect(days).toBe(14);
    await eventually(
      "the end of the session",
      1_500,
      async () => (await second.get("/v1/auth/session")).status === 401,
    );
    expect((await client.at(at.other.url).get("/v1/auth/session")).status).toBe(401);
    expect((await signedIn(at.other.url, email)).answer.status).toBe(401);
    const token = await tokenTo(at.mail, email, CANCEL_LINK);
    const cancelled = await race((index) => cancel(index % 2 ? at.one.url : at.other.url, token), 6);
    expect(cancelled.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
    const back = await signedIn(at.other.url, email);
    expect(back.answer.status).toBe(200);
    const [organization] =
      await at.sql`select suspended_at, deletion_at from organizations where id = ${organizationId}`;
    expect(organization).toMatchObject({ suspended_at: null, deletion_at: null });
    const actions =
      await at.sql`select action from audit_logs where resource_id = ${userId} and action like 'user.del%' order by id`;
    expect(actions.map(({ action }) => action)).toEqual(["user.deletion_requested", "user.deletion_cancelled"]);
  });

  test("401: without password, with a wrong password and beside a second factor; nothing changes", async () => {
    const { client, userId } = await provenUser(at);
    expect((await remove(client, {})).status).toBe(401);
    expect((await remove(client, { password: "wrong horse, wrong battery" })).status).toBe(401);
    expect((await remove(client, { password: PASSWORD, code: "123456" })).status).toBe(400);
    expect((await remove(new Client(at.one.url))).status).toBe(401);
    expect(await at.sql`select 1 from deletions where subject_id = ${userId}`).toHaveLength(0);
    const person = await withAuthenticator(at, await provenUser(at));
    await at.sql`update sessions set aal = 'aal1', mfa_verified_at = null where user_id = ${person.userId}`;
    const refused = await remove(person.client.at(at.other.url));
    expect([refused.status, refused.body.error.code]).toEqual([401, "mfa_required"]);
  });

  test("202: a user without a password deletes the account with an emailed code, by the alias too", async () => {
    const { client, email, userId } = await provenUser(at);
    await deletePassword(at.sql, userId);
    await at.sql`update sessions set auth_time = now() - interval '1 hour' where user_id = ${userId}`;
    await new Client(at.one.url).post("/v1/auth/email-otp/request", { email });
    const [mail] = await at.mail.mailsTo(email, CODE);
    const code = codeIn(mail);
    const wrong = code === "000000" ? "000001" : "000000";
    const other = client.at(at.other.url);
    expect((await other.delete("/v1/users/me", { body: { code: wrong } })).status).toBe(401);
    expect((await other.delete("/v1/users/me", { body: { code } })).status).toBe(202);
  });

  test("401: a new session confirms nothing: without a password a code or a step-up is needed (G310)", async () => {
    const { client, email, userId } = await provenUser(at);
    await deletePassword(at.sql, userId);
    const fresh = client.at(at.other.url);
    for (const refused of [await fresh.post("/v1/users/me/deletion", {}), await fresh.delete("/v1/users/me")]) {
      expect([refused.status, refused.body.error.code]).toEqual([401, "authentication_required"]);
    }
    expect(await at.sql`select 1 from deletions where subject_id = ${userId}`).toHaveLength(0);
    await new Client(at.one.url).post("/v1/auth/email-otp/request", { email });
    const [mail] = await at.mail.mailsTo(email, CODE);
    expect((await remove(fresh, { code: codeIn(mail) })).status).toBe(202);
    const person = await withAuthenticator(at, await provenUser(at));
    await deletePassword(at.sql, person.userId);
    expect((await remove(person.client, {})).status).toBe(202);
  });

  test("409 names organizations of a last owner; a leaving owner does not count (G132)", async () => {
    const host = await founded(at);
    const owner = await joinedAs(at, host, "owner");
    const outcomes = await race((index) => remove(index ? owner.client : host.client), 2);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([202, 409]);
    const refused = outcomes.find(({ status }) => status === 409);
    expect(refused?.body.error.organizations).toMatchObject([{ id: host.organizationId }]);
    const rest = outcomes[0]?.status === 409 ? host : owner;
    const demoted = await rest.client.patch(memberOf(host.organizationId, rest.userId), { role: "admin" });
    expect(demoted.status).toBe(409);
  });

  test("409 for the last owner who leaves by any way, and for a user of emergency access (G132)", async () => {
    const host = await founded(at);
    const member = await joinedAs(at, host, "member");
    const left = await host.client.delete(memberOf(host.organizationId, host.userId));
    expect([left.status, (await remove(host.client)).status]).toEqual([409, 409]);
    await at.sql`
      insert into sso_policies (organization_id, mode, guests, break_glass, jit, default_role, role_rules, sync,
                                require_own_factor, revision, updated_at)
      values (${host.organizationId}, 'off', 'own_methods', ${[member.userId]}::uuid[], 'off', 'member', '[]', 'always',
              false, 1, now())`;
    const refused = await remove(member.client);
    expect([refused.status, refused.body.error.organizations]).toMatchObject([409, [{ id: host.organizationId }]]);
    await at.sql`delete from sso_policies where organization_id = ${host.organizationId}`;
    expect((await remove(member.client)).status).toBe(202);
  });

  test("202 once: a double click, an old link and a new request leave one deletion and link (G131)", async () => {
    const { client, email, userId } = await provenUser(at);
    const clicks = await race((index) => remove(client.at(index ? at.other.url : at.one.url)), 2);
    const [first, second] = clicks.map(({ status }) => status).sort();
    expect(first).toBe(202);
    expect([401, 409]).toContain(second ?? 0);
    const oldLink = await tokenTo(at.mail, email, CANCEL_LINK);
    expect((await cancel(at.other.url, oldLink)).status).toBe(200);
    const again = (await signedIn(at.one.url, email)).client;
    await expectStatus(remove(again), 202);
    const link = await tokenTo(at.mail, email, CANCEL_LINK, 2);
    expect((await cancel(at.one.url, oldLink)).status).toBe(401);
    expect(await at.sql`select 1 from deletions where subject_id = ${userId}`).toHaveLength(1);
    // A due deletion is past cancellation, by link and by an administrator.
    const admin = await platformUser(at, "admin");
    await at.sql`update deletions set due_at = now() where subject_id = ${userId}`;
    const late = [await cancel(at.one.url, link), await admin.client.delete(`/v1/admin/users/${userId}/deletion`)];
    expect(late.map(({ status }) => status)).toEqual([401, 404]);
  });

  test("the former mailbox of a hijacked account cancels the deletion (G147)", async () => {
    const victim = await provenUser(at);
    const { changed } = await changeAddress(at, victim);
    await expectStatus(remove(victim.client), 202);
    const [ofAttacker, ofVictim] = await Promise.all(
      [changed, victim.email].map((email) => tokenTo(at.mail, email, CANCEL_LINK)),
    );
    expect(ofVictim).not.toBe(ofAttacker ?? "");
    expect((await cancel(at.other.url, ofVictim ?? "")).status).toBe(200);
    expect((await cancel(at.one.url, ofAttacker ?? "")).status).toBe(401);
    const [record] = await at.sql`
      select actor_id, metadata from audit_logs
      where resource_id = ${victim.userId} and action = 'user.deletion_cancelled'`;
    expect(record).toMatchObject({ actor_id: victim.userId, metadata: { mailbox: "former" } });
  });

  test("a pending deletion of the only member's organization depends on the member", async () => {
    const person = await withAuthenticator(at, await provenUser(at));
    const { client, email, userId, organizationId } = person;
    await presentFactor(at.sql, userId);
    const [{ slug }] = (await at.sql`select slug from organizations where id = ${organizationId}`) as [
      { slug: string },
    ];
    await expectStatus(client.post(`/v1/orgs/${organizationId}/deletion`, { slug }), 202);
    const ofOrganization = await tokenTo(at.mail, email, CANCEL_LINK);
    const signed = await platformUser(at, "admin");
    await expectStatus(signed.client.post(`/v1/admin/users/${userId}/deletion`, { reason: "By letter" }), 202);
    expect((await cancel(at.one.url, ofOrganization)).status).toBe(401);
    expect((await signed.client.delete(`/v1/orgs/${organizationId}/deletion`)).status).toBe(404);
    await erased("users", userId);
    expect(await exists("organizations", organizationId)).toBe(false);
    const tombstones = await at.sql`
      select 1 from deletions where subject_id = any(${[userId, organizationId]}::uuid[]) and erased_at is not null`;
    expect(tombstones).toHaveLength(2);
  });

  test("PATCH disabled: false does not cancel, and a platform administrator does", async () => {
    const { client, email, userId } = await provenUser(at);
    await expectStatus(remove(client), 202);
    const admin = await platformUser(at, "admin");
    const enabled = await admin.client.patch(`/v1/admin/users/${userId}`, { disabled: false });
    expect([enabled.status, enabled.body.disabled]).toEqual([200, true]);
    expect((await signedIn(at.one.url, email)).answer.status).toBe(401);
    expect((await admin.client.delete(`/v1/admin/users/${userId}/deletion`)).status).toBe(204);
    expect((await admin.client.delete(`/v1/admin/users/${userId}/deletion`)).status).toBe(404);
    expect((await signedIn(at.other.url, email)).answer.status).toBe(200);
  });

  test("POST /v1/admin/users/:id/deletion needs a reason, and the list has the pending deletion", async () => {
    const { userId } = await registered(at.one.url);
    const admin = await platformUser(at, "admin");
    expect((await admin.client.post(`/v1/admin/users/${userId}/deletion`, {})).status).toBe(400);
    const reason = "Request by letter";
    expect((await admin.client.post(`/v1/admin/users/${userId}/deletion`, { reason })).status).toBe(202);
    expect((await admin.client.post(`/v1/admin/users/${userId}/deletion`, { reason })).status).toBe(409);
    const { body } = await admin.client.get("/v1/admin/deletions?subject_type=user&page_size=100");
    expect(body.items).toContainEqual(expect.objectContaining({ subject_id: userId, reason, erased_at: null }));
  });
});

describe("the erasure", () => {
  test("removes address and name from PostgreSQL, outbox, Redis and logs, and leaves a tombstone (G133)", async () => {
    const person = await provenUser(at);
    const { client, email, userId, organizationId } = person;
    const name = `Zebulon ${userId.slice(-12)}`;
    await client.patch("/v1/users/me", { display_name: name });
    const { added } = await addAddress(at, person);
    const host = await withAuthenticator(at, await founded(at));
    await host.client.post(`/v1/orgs/${host.organizationId}/invitations`, { email });
    // Requests that failed, with the address in body and path.
    await signedIn(at.other.url, email, "wrong horse, wrong battery");
    await new Client(at.one.url).post("/v1/auth/password/forgot", { email });
    await new Client(at.one.url).get(`/v1/users/${encodeURIComponent(email)}`);
    const [{ event_id: eventId }] = (await at.sql`
      select event_id from audit_logs where actor_id = ${userId} and action = 'auth.register'`) as [
      { event_id: string },
    ];
    await expectStatus(remove(client), 202);
    const token = await tokenTo(at.mail, email, CANCEL_LINK);
    const texts = [email, added, name];
    expect(await placesOf(at, texts)).toContain("users");
    await erased("users", userId);
    expect(await exists("organizations", organizationId)).toBe(false);
    expect(await placesOf(at, texts)).toEqual([]);
    const [tombstone] = await at.sql`select reason, token_hash, erased_at from deletions where subject_id = ${userId}`;
    expect(tombstone).toMatchObject({ reason: null, token_hash: null, erased_at: expect.any(Date) });
    expect((await cancel(at.other.url, token)).status).toBe(401);
    await expectProvenRecord(eventId);
    expect(await exportsWith(host, texts)).toEqual([]);
    expect((await registered(at.other.url, { email })).answer.status).toBe(201);
    expect((await cancel(at.one.url, token)).status).toBe(401);
  });

  test("of an attacker's account keeps rows and links of the owner of a requested address (G147)", async () => {
    const victim = await provenUser(at);
    const { changed, undoToken } = await changeAddress(at, victim);
    // The attacker requests the reserved address and a foreign address without control of the mailboxes.
    const attacker = await provenUser(at);
    const invited = newEmail();
    const host = await founded(at);
    await expectStatus(host.client.post(`/v1/orgs/${host.organizationId}/invitations`, { email: invited }), 201);
    for (const email of [victim.email, changed, invited]) {
      await expectStatus(attacker.client.post("/v1/users/me/emails", { email, password: PASSWORD }), 204);
    }
    await expectStatus(remove(attacker.client), 202);
    await erased("users", attacker.userId);
    expect(await at.sql`select 1 from invitations where email = ${invited}`).toHaveLength(1);
    expect((await undo(at.other.url, undoToken)).status).toBe(204);
    const [user] = await at.sql`select email from users where id = ${victim.userId}`;
    expect(user?.email).toBe(victim.email);
  });
});

/** The exports of an organization and of the platform that contain one of the texts. */
async function exportsWith(
  host: { readonly client: Client; readonly organizationId: string },
  texts: readonly string[],
): Promise<string[]> {
  const { client, organizationId } = await platformUser(at, "admin");
  await enterEnterprise(at.sql, organizationId);
  const exported = {
    organization: await host.client.get(`/v1/orgs/${host.organizationId}/export`),
    audit: await client.get("/v1/admin/audit-export?from=2001-01-01T00:00:00Z"),
  };
  for (const { status } of Object.values(exported)) expect(status).toBe(200);
  return Object.entries(exported).flatMap(([kind, { text }]) =>
    texts.some((each) => text.includes(each)) ? [kind] : [],
  );
}

/** An auditor verifies a record of before the erasure by the present log. */
async function expectProvenRecord(eventId: string): Promise<void> {
  const { client } = await platformUser(at, "admin");
  const { body } = await client.get("/.well-known/openid-configuration");
  const keys = [String(body.service_audit_log.verifier_key)];
  await eventually("a verified proof", ERASURE_MS, async () => {
    const proof = await client.get(`/v1/audit-logs/${eventId}/proof`);
    return proof.status === 200 && (await verifyRecord({ proof: proof.text, keys, eventId })).ok;
  });
}

describe("the deletion of an organization", () => {
  /** A pending deletion with the cancellation link of each of three owners, requested by the first. */
  async function pendingWithOwners() {
    const host = await withAuthenticator(at, await founded(at));
    const others = [await joinedAs(at, host, "owner"), await joinedAs(at, host, "owner")];
    const [row] = await at.sql`select slug from organizations where id = ${host.organizationId}`;
    await presentFactor(at.sql, host.userId);
    await expectStatus(host.client.post(`/v1/orgs/${host.organizationId}/deletion`, { slug: row?.slug }), 202);
    const owners = [host, ...others];
    const tokens = await Promise.all(owners.map(({ email }) => tokenTo(at.mail, email, CANCEL_LINK)));
    return { organizationId: host.organizationId, owners, tokens };
  }

  test("is cancelled in the name of the owner whose link was used, and the other links end (G360)", async () => {
    const { organizationId, owners, tokens } = await pendingWithOwners();
    expect(new Set(tokens).size).toBe(3);
    const used = await race((index) => cancel(index % 2 ? at.one.url : at.other.url, tokens[1] ?? ""), 6);
    expect(used.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
    for (const token of tokens) expect((await cancel(at.one.url, token)).status).toBe(401);
    const records = await at.sql`
      select actor_id from audit_logs
      where resource_id = ${organizationId} and action = 'organization.deletion_cancelled'`;
    expect(records).toMatchObject([{ actor_id: owners[1]?.userId }]);
  });

  const FORMER: Readonly<Record<string, (organizationId: string, userId: string) => Promise<unknown>>> = {
    demoted: (organizationId, userId) =>
      at.sql`update members set role = 'admin' where organization_id = ${organizationId} and user_id = ${userId}`,
    removed: (organizationId, userId) =>
      at.sql`delete from members where organization_id = ${organizationId} and user_id = ${userId}`,
    disabled: (_, userId) => at.sql`update users set disabled_at = now() where id = ${userId}`,
    deleted: (_, userId) => at.sql`delete from users where id = ${userId}`,
  };
  for (const [state, end] of Object.entries(FORMER)) {
    test(`is not cancelled by the link of an owner who was ${state} since (G360)`, async () => {
      const { organizationId, owners, tokens } = await pendingWithOwners();
      await end(organizationId, owners[1]?.userId ?? "");
      expect((await cancel(at.one.url, tokens[1] ?? "")).status).toBe(401);
      const pending = await at.sql`
        select 1 from deletions where subject_id = ${organizationId} and erased_at is null`;
      expect(pending).toHaveLength(1);
      expect((await cancel(at.other.url, tokens[2] ?? "")).status).toBe(200);
    });
  }

  test("is cancelled by a link that a replica of version 1.0.1 mailed before the upgrade", async () => {
    const { organizationId, owners, tokens } = await pendingWithOwners();
    await at.sql`
      with former as (
        delete from deletion_tokens where token_hash = sha256(${tokens[2] ?? ""}::text::bytea) returning *
      )
      update deletions set token_hash = (select token_hash from former) where subject_id = ${organizationId}`;
    expect((await cancel(at.one.url, tokens[2] ?? "")).body).toEqual({ subject_type: "organization" });
    const records = await at.sql`
      select actor_id from audit_logs
      where resource_id = ${organizationId} and action = 'organization.deletion_cancelled'`;
    expect(records).toMatchObject([{ actor_id: owners[0]?.userId }]);
  });

  test("202: suspends, mails every owner, restores once, and the erasure removes rows (G134)", async () => {
    const host = await withAuthenticator(at, await founded(at));
    const owner = await joinedAs(at, host, "owner");
    const path = `/v1/orgs/${host.organizationId}/deletion`;
    const [{ slug }] = (await at.sql`select slug from organizations where id = ${host.organizationId}`) as [
      { slug: string },
    ];
    const [name, invited] = [`Engines ${slug}`, newEmail()];
    await at.sql`update organizations set name = ${name} where id = ${host.organizationId}`;
    await expectStatus(host.client.post(`/v1/orgs/${host.organizationId}/invitations`, { email: invited }), 201);
    await at.mail.mailsTo(invited, /./);
    const texts = [name, slug, invited];
    await ageFactor(at.sql, host.userId, 60);
    const stale = await host.client.at(at.other.url).post(path, { slug });
    expect([stale.status, stale.body.error.code]).toEqual([401, "mfa_required"]);
    await at.sql`update sessions set mfa_verified_at = now() where user_id = ${host.userId}`;
    const fresh = host.client.at(at.one.url);
    await eventually("the step-up", 35_000, async () => (await fresh.post(path, { slug: `${slug}x` })).status === 400);
    expect((await fresh.post(path, { slug })).status).toBe(202);
    expect((await owner.client.get(`/v1/orgs/${host.organizationId}/members`)).status).not.toBe(200);
    await tokenTo(at.mail, owner.email, CANCEL_LINK);
    const token = await tokenTo(at.mail, host.email, CANCEL_LINK);
    expect((await cancel(at.other.url, token)).body).toEqual({ subject_type: "organization" });
    expect((await cancel(at.one.url, token)).status).toBe(401);
    const admin = await platformUser(at, "admin");
    const again = await admin.client.post(`/v1/admin/orgs/${host.organizationId}/deletion`, {
      reason: "Contract ended",
    });
    expect(again.status).toBe(202);
    const restored = await admin.client.patch(`/v1/admin/orgs/${host.organizationId}`, { suspended: false });
    expect(restored.body.suspended).toBe(true);
    await erased("organizations", host.organizationId);
    expect(await at.sql`select 1 from members where organization_id = ${host.organizationId}`).toHaveLength(0);
    expect(await placesOf(at, texts)).toEqual([]);
    expect(await exists("users", owner.userId)).toBe(true);
  });
});

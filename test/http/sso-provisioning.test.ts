/**
 * Accounts and identity providers of organizations: the defects of other products, by class (G153), over two replicas.
 * The identity provider asserts whatever the test wants: an organization may own the provider.
 */
import { beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { DEFAULT_POLICY } from "../../src/vocabulary/policy-settings.ts";
import { type Answer, Client, newEmail, registered, signedIn } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { insertVerifiedDomain } from "../support/directories.ts";
import { assignRoles, createdRole } from "../support/roles.ts";
import {
  announceConnections,
  attemptsOf,
  changeConnection,
  company,
  routable,
  SsoBrowser,
  type SsoDeployment,
  setPolicy,
  ssoDeployment,
} from "../support/sso.ts";
import { assignPlatformRole, disableUser, insertMember, presentFactor } from "../support/states.ts";
import { invite, memberOf, memberWith, statementsWait, stepUpSessions, verify } from "../support/team.ts";

let sso: SsoDeployment;
beforeEach(async () => {
  sso = await ssoDeployment();
  sso.forged.provider.reset();
  await setPolicy(sso.at, sso.forged.organizationId, {});
  await sso.at.sql`
    update organization_domains set status = 'verified', missing_since = null, connection_id = null
    where organization_id = ${sso.forged.organizationId}`;
  await verify(sso.at.sql, sso.forged.ownerId);
  await stepUpSessions(sso.at.sql, sso.forged.ownerId);
});

let subjects = 0;
/** A subject and an address in the domain of the organization. */
function fresh() {
  subjects += 1;
  return { sub: `subject-${subjects}`, email: `person-${subjects}@${sso.forged.domain}` };
}

/** A sign-in with claims: at one replica, completed at the other. */
async function enter(claims: object): Promise<Answer> {
  sso.forged.provider.claims = { ...claims };
  const browser = new SsoBrowser(sso.at.one.url);
  const response = await browser.enter(sso.forged.connectionId, "nobody", sso.at.other.url);
  return response;
}

/** A rule of the policy grants a role with `audit.read` to the group `audit`. */
async function grantByGroup(): Promise<void> {
  const { at, forged } = sso;
  const { organizationId, connectionId } = forged;
  const role = await createdRole({ client: forged.owner, userId: forged.ownerId, organizationId }, ["audit.read"]);
  await setPolicy(at, organizationId, { roleRules: [{ from: "groups", value: "audit", role: role.key }] });
  await changeConnection(at, connectionId, { config: { groups_from: "groups" } });
}

const codeOf = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? body?.status}`;
const REFUSED = "403 forbidden";
const lastReason = async () => (await attemptsOf(sso.forged))[0];

/** A registered user with an address and a confirmed mailbox. */
async function personWith(email: string) {
  const person = await registered(sso.at.one.url, { email });
  await verify(sso.at.sql, person.userId);
  await sso.at.sql`update users set controlled_at = now() where id = ${person.userId}`;
  return { ...person, email };
}

/** Everything of a user that an identity provider must not change. */
async function accountOf(userId: string) {
  const [user] = await sso.at.sql`
    select email, display_name, password_hash, email_verified_at, controlled_at, managed_by, credentials_epoch
    from users where id = ${userId}`;
  const members = await sso.at.sql`
    select organization_id, role from members where user_id = ${userId} order by organization_id`;
  const identities = await sso.at.sql`select id from sso_identities where user_id = ${userId}`;
  const sessions = await sso.at.sql`
    select id from sessions where user_id = ${userId} and revoked_at is null and not organization_bound order by id`;
  return { user, members: [...members], identities: [...identities], sessions: [...sessions] };
}

describe("an address outside of the verified domains", () => {
  test("403: of a victim finds, links and changes no account, not even of a member (tale PR 3131).", async () => {
    const { at, forged } = sso;
    const stranger = await personWith(newEmail());
    const member = await memberWith(at, forged.organizationId, "member");
    await at.sql`update users set controlled_at = now() where id = ${member.userId}`;
    for (const { userId, email } of [stranger, member]) {
      const before = await accountOf(userId);
      const response = await enter({ sub: `of ${userId}`, email, email_verified: true, groups: ["admin"] });
      expect([codeOf(response), await lastReason()]).toEqual([REFUSED, "failure domain account"]);
      expect(await accountOf(userId)).toEqual(before);
    }
    const unknown = await enter({ sub: "of nobody", email: newEmail() });
    expect(codeOf(unknown)).toBe(REFUSED);
  });

  test("403: also of a domain of another organization, a subdomain, a look-alike, and no address.", async () => {
    const { forged, acme } = sso;
    const { domain } = forged;
    for (const email of [
      `ada@${acme.domain}`,
      `ada@eu.${domain}`,
      `ada@${domain}.evil.test`,
      `ada@x${domain}`,
      undefined,
    ]) {
      const { sub } = fresh();
      expect([email, codeOf(await enter({ sub, email }))]).toEqual([email, REFUSED]);
      expect(await lastReason()).toBe("failure domain account");
    }
  });

  test("403: the address of a known identity changed at the provider, and after the loss of the domain.", async () => {
    const { at, forged } = sso;
    const claims = fresh();
    expect((await enter(claims)).status).toBe(200);
    const moved = await enter({ ...claims, email: newEmail() });
    expect([codeOf(moved), await lastReason()]).toEqual([REFUSED, "failure domain account"]);
    for (const status of ["lost", "pending"]) {
      await at.sql`update organization_domains set status = ${status} where organization_id = ${forged.organizationId}`;
      expect([status, codeOf(await enter(claims))]).toEqual([status, REFUSED]);
    }
    await at.sql`
      update organization_domains set status = 'failing', missing_since = now()
      where organization_id = ${forged.organizationId}`;
    expect((await enter(claims)).status).toBe(200);
  });

  test("403: an address that normalisation changes to the address of a further person (G304).", async () => {
    const { forged } = sso;
    const member = await memberWith(sso.at, forged.organizationId, "member");
    const local = `kate-${member.userId}`;
    await sso.at.sql`
      update users set email = ${`${local}@${forged.domain}`}, controlled_at = now() where id = ${member.userId}`;
    const before = await accountOf(member.userId);
    for (const asserted of [local.replace("k", "\u212A"), local.replace("k", "ｋ")]) {
      const response = await enter({ ...fresh(), email: `${asserted}@${forged.domain}`, email_verified: true });
      expect([codeOf(response), await lastReason()]).toEqual([REFUSED, "failure domain account"]);
    }
    expect(await accountOf(member.userId)).toEqual(before);
  });

  test("200: both forms of an internationalized domain are one mailbox and one user (G305).", async () => {
    const { at, forged } = sso;
    const label = `bücher-${process.pid}`;
    const ascii = new URL(`http://${label}.test`).hostname;
    await insertVerifiedDomain(at, forged.organizationId, ascii);
    const { sub } = fresh();
    for (const domain of [`${label}.test`, ascii])
      expect((await enter({ sub, email: `l@${domain}` })).status).toBe(200);
    const users = await at.sql`select email from users where email like 'l@%'`;
    expect(users.map(({ email }) => email)).toEqual([`l@${ascii}`]);
  });

  test("403: the address of a removed member, by a further account and by a new account (G301).", async () => {
    const { at, forged } = sso;
    const [claims, further] = [fresh(), newEmail()];
    const entered = await enter(claims);
    const userId = entered.body.user.user_id;
    expect((await forged.owner.delete(memberOf(forged.organizationId, userId))).status).toBe(204);
    await at.sql`delete from users where id = ${userId}`;
    const again = { ...claims, sub: `${claims.sub} again` };
    expect([codeOf(await enter(again)), await lastReason()]).toEqual([REFUSED, "failure not_a_member account"]);
    const person = await personWith(further);
    await at.sql`update users set email = ${claims.email} where id = ${person.userId}`;
    expect([codeOf(await enter(again)), await lastReason()]).toEqual([REFUSED, "failure not_a_member account"]);
    await invite(forged.owner, forged.organizationId, claims.email);
    expect((await enter(again)).status).toBe(200);
  });

  test("403: a domain of another connection of the organization.", async () => {
    const { at, forged } = sso;
    const { connectionId } = await storedConnection();
    await at.sql`
      update organization_domains set connection_id = ${connectionId} where organization_id = ${forged.organizationId}`;
    expect(codeOf(await enter(fresh()))).toBe(REFUSED);
    await at.sql`
      update organization_domains set connection_id = ${forged.connectionId}
      where organization_id = ${forged.organizationId}`;
    expect((await enter(fresh())).status).toBe(200);
    await at.sql`delete from sso_connections where id = ${connectionId}`;
  });

  async function storedConnection() {
    const { at, forged } = sso;
    const [row] = await at.sql`
      insert into sso_connections (id, organization_id, protocol, name, preset, status, config, revision,
                                   created_at, updated_at)
      select gen_random_uuid(), organization_id, protocol, 'Second', preset, 'draft', config, 1, now(), now()
      from sso_connections where id = ${forged.connectionId} returning id`;
    return { connectionId: String(row?.id) };
  }
});

describe("an address in a verified domain", () => {
  test("403: that the identity provider has not verified (email_verified: false).", async () => {
    for (const value of [false, "false", "no", 0]) {
      expect([value, codeOf(await enter({ ...fresh(), email_verified: value }))]).toEqual([value, REFUSED]);
      expect(await lastReason()).toBe("failure email_not_verified account");
    }
    expect((await enter({ ...fresh(), email_verified: "true" })).status).toBe(200);
  });

  test("409: a second subject does not become the first, and the owners are informed.", async () => {
    const { at, forged } = sso;
    const claims = fresh();
    const first = await enter(claims);
    const second = await enter({ ...claims, sub: `${claims.sub} again` });
    expect([codeOf(second), await lastReason()]).toEqual(["409 conflict", "failure identity_conflict account"]);
    expect(await at.sql`select 1 from sso_identities where user_id = ${first.body.user.user_id}`).toHaveLength(1);
    const [owner] = await at.sql`select email from users where id = ${forged.ownerId}`;
    const [mail] = await at.mail.mailsTo(String(owner?.email), /second account has the address/);
    expect(mail?.text).toContain(claims.email.replace(/@.*/, " [at] "));
  });

  test("409: of many conflicts of one user in a day, the owners receive one mail.", async () => {
    const { at, forged } = sso;
    const claims = fresh();
    await enter(claims);
    const conflict = async (sub: string, { email } = claims) =>
      expect(codeOf(await enter({ email, sub: `${email} ${sub}` }))).toBe("409 conflict");
    for (const sub of ["a", "b", "c"]) await conflict(sub);
    // The mail of a later conflict: the outbox has delivered the earlier mails.
    const later = fresh();
    await enter(later);
    await conflict("d", later);
    const [owner] = await at.sql`select email from users where id = ${forged.ownerId}`;
    const about = ({ email }: { email: string }) => new RegExp(`second account[^]*${email.split("@")[0]} `);
    await at.mail.mailsTo(String(owner?.email), about(later));
    expect(await at.mail.mailsTo(String(owner?.email), about(claims))).toHaveLength(1);
  });

  test("200: of two subjects at once one is linked, and the other is refused.", async () => {
    const { email } = fresh();
    const provider = sso.forged.provider;
    const callbacks = await Promise.all(
      ["one", "two"].map(async (sub) => {
        const browser = new SsoBrowser(sso.at.one.url);
        const url = await browser.visit(await browser.begin(sso.forged.connectionId));
        return { sub: `${email} ${sub}`, browser, url };
      }),
    );
    const responses: Answer[] = [];
    for (const { sub, browser, url } of callbacks) {
      provider.claims = { sub, email };
      responses.push(await browser.finish(url));
    }
    expect(responses.map(({ status }) => status)).toEqual([200, 409]);
  });

  test("links an existing member, keeps every credential, and sends a notice.", async () => {
    const { at, forged } = sso;
    const claims = fresh();
    const person = await personWith(claims.email);
    await insertMember(at.sql, forged.organizationId, person.userId);
    const before = await accountOf(person.userId);
    const response = await enter({ ...claims, name: "Somebody Else" });
    expect([response.status, response.body.user.user_id]).toEqual([200, person.userId]);
    const { identities, ...after } = await accountOf(person.userId);
    expect([after, identities.length]).toEqual([
      { user: before.user, members: before.members, sessions: before.sessions },
      1,
    ]);
    await at.mail.mailsTo(person.email, /linked to your account at the identity provider/);
    expect((await signedIn(at.one.url, person.email)).answer.status).toBe(200);
  });

  test("adds a user with other organizations to this organization only (better-auth #10784).", async () => {
    const { at, forged } = sso;
    const claims = fresh();
    const person = await personWith(claims.email);
    await assignPlatformRole(at.sql, person.userId, "owner");
    sso.forged.provider.claims = claims;
    const browser = new SsoBrowser(at.one.url);
    expect((await browser.enter(forged.connectionId)).status).toBe(200);
    const profile = (await browser.client.get("/v1/users/me")).body;
    expect(profile).toMatchObject({
      organization_bound: true,
      platform_role: null,
      has_password: false,
      organizations: [{ id: forged.organizationId }],
    });
    expect((await browser.client.get(`/v1/orgs/${person.organizationId}/members`)).status).toBe(404);
    expect(
      (await browser.client.post("/v1/auth/organization", { organization_id: person.organizationId })).status,
    ).toBe(403);
    expect((await browser.client.get("/v1/admin/orgs")).status).toBe(403);
  });

  test("403: links no owner, and no administrator above the user who activated the connection.", async () => {
    const { at, forged } = sso;
    for (const [role, activatedBy, expected] of [
      ["owner", forged.ownerId, REFUSED],
      ["admin", (await memberWith(at, forged.organizationId, "member")).userId, REFUSED],
      ["admin", (await memberWith(at, forged.organizationId, "admin")).userId, "200 success"],
    ] as const) {
      await changeConnection(at, forged.connectionId, { activatedBy });
      const claims = fresh();
      const person = await personWith(claims.email);
      await at.sql`insert into members values (${forged.organizationId}, ${person.userId}, ${role}, now())`;
      expect([role, codeOf(await enter(claims))]).toEqual([role, expected]);
      if (expected === REFUSED) expect(await lastReason()).toBe("failure link_required account");
    }
    await changeConnection(at, forged.connectionId, { activatedBy: forged.ownerId });
  });
});

describe("a policy", () => {
  test("invited_only accepts a pending invitation with its role, and refuses everyone else.", async () => {
    const { at, forged } = sso;
    await setPolicy(at, forged.organizationId, { jit: "invited_only" });
    const [uninvited, invited, asOwner] = [fresh(), fresh(), fresh()];
    expect([codeOf(await enter(uninvited)), await lastReason()]).toEqual([REFUSED, "failure not_invited account"]);
    expect((await invite(forged.owner, forged.organizationId, invited.email, "admin")).status).toBe(201);
    const response = await enter(invited);
    expect([response.status, response.body.capabilities.role]).toEqual([200, "admin"]);
    const [invitation] =
      await at.sql`select accepted_at is not null as accepted from invitations where email = ${invited.email}`;
    expect(invitation?.accepted).toBe(true);
    expect((await invite(forged.owner, forged.organizationId, asOwner.email, "owner")).status).toBe(201);
    expect(codeOf(await enter(asOwner))).toBe(REFUSED);
  });

  test("invite_domains of the organization hold for an invitation that single sign-on would accept.", async () => {
    const { at, forged } = sso;
    const { organizationId } = forged;
    await setPolicy(at, organizationId, { jit: "invited_only" });
    const invited = fresh();
    expect((await invite(forged.owner, organizationId, invited.email)).status).toBe(201);
    const settings = { ...DEFAULT_POLICY, inviteDomains: ["elsewhere.test"], mfaSince: new Date(0).toISOString() };
    await at.sql`
      insert into organization_policies (organization_id, settings, policies_at, revision, updated_at)
      values (${organizationId}, ${at.sql.json(settings as never)}, now() - interval '1 minute', 1, now())`;
    expect([codeOf(await enter(invited)), await lastReason()]).toEqual([REFUSED, "failure not_invited account"]);
    await at.sql`delete from organization_policies where organization_id = ${organizationId}`;
    expect((await enter(invited)).status).toBe(200);
  });

  test("The roles of an accepted invitation are granted by the power of the sender, with a record.", async () => {
    const { at, forged } = sso;
    await setPolicy(at, forged.organizationId, { jit: "invited_only" });
    const host = { client: forged.owner, userId: forged.ownerId, organizationId: forged.organizationId };
    const [kept, dropped] = [await createdRole(host, ["audit.read"]), await createdRole(host, ["members.list"])];
    const invited = fresh();
    const body = { email: invited.email, role_ids: [kept.id, dropped.id] };
    expect((await forged.owner.post(`/v1/orgs/${forged.organizationId}/invitations`, body)).status).toBe(201);
    await forged.owner.request("DELETE", `/v1/orgs/${forged.organizationId}/roles/${dropped.id}`, { body: {} });
    const response = await enter(invited);
    expect([response.status, response.body.capabilities]).toEqual([
      200,
      { role: "member", roles: [kept.key], permissions: ["audit.read"] },
    ]);
    const { user_id: userId } = response.body.user;
    const [record] = await at.sql`
      select metadata from audit_logs where action = 'member.roles_changed' and actor_id = ${userId}`;
    expect(record?.metadata).toMatchObject({ added: kept.id });
  });

  test("Rules grant custom roles at every sign-in, and withdraw the roles without the value (G226).", async () => {
    const { at, forged } = sso;
    const host = { client: forged.owner, userId: forged.ownerId, organizationId: forged.organizationId };
    const [auditor, other] = [await createdRole(host, ["audit.read"]), await createdRole(host, ["members.list"])];
    const rule = (value: string, role: string) => ({ from: "groups", value, role });
    const role_rules = [rule("audit", auditor.key), rule("audit", "gone"), rule("list", other.key)];
    await setPolicy(at, forged.organizationId, { jit: "on", roleRules: role_rules });
    await changeConnection(at, forged.connectionId, { config: { groups_from: "groups" } });
    const person = fresh();
    const joined = await enter({ ...person, groups: ["audit"] });
    expect([joined.status, joined.body.capabilities]).toEqual([
      200,
      { role: "member", roles: [auditor.key], permissions: ["audit.read"] },
    ]);
    const moved = await enter({ ...person, groups: ["list"] });
    expect(moved.body.capabilities).toEqual({ role: "member", roles: [other.key], permissions: ["members.list"] });
    const userId = joined.body.user.user_id;
    const [held] = await at.sql`select source from member_roles where user_id = ${userId}`;
    expect(held?.source).toBe("sso");
    expect((await enter({ ...person, groups: [] })).body.capabilities.permissions).toEqual([]);
    const records = await at.sql`
      select metadata from audit_logs where action = 'member.roles_changed' and resource_id = ${userId}
      order by timestamp`;
    expect(records.map(({ metadata }) => metadata.added)).toEqual([auditor.key, other.key, ""]);
  });

  test.each(["rule", "deactivation", "deletion", "link"])(
    "A role by rules ends for all members without the %s, with records; a manual role stays (G226).",
    async (foundation) => {
      const { at, forged } = sso;
      const connectionId = randomUUID();
      const { owner, ownerId, organizationId, domain } = await company(at, connectionId, forged.provider.url, {
        groups_from: "groups",
      });
      await announceConnections(at);
      await routable(at, [connectionId]);
      const host = { client: owner, userId: ownerId, organizationId };
      await presentFactor(at.sql, ownerId);
      const [ruled, manual] = [await createdRole(host, ["audit.read"]), await createdRole(host, ["members.list"])];
      const role_rules = [{ from: "groups", value: "audit", role: ruled.key }];
      await setPolicy(at, organizationId, { roleRules: role_rules });
      forged.provider.claims = { sub: "auditor", email: `auditor@${domain}`, groups: ["audit"] };
      const { body } = await new SsoBrowser(at.one.url).enter(connectionId);
      const userId = String(body.user.user_id);
      await assignRoles(host, organizationId, userId, [manual.id]);
      // More roles than a transaction withdraws; of one member, ten at most come from sign-ins.
      const former = foundation === "link" ? 9 : 501;
      await at.sql`
        with added as (
          insert into organization_roles (id, organization_id, key, name, description, permissions, created_at,
                                          updated_at)
          select gen_random_uuid(), ${organizationId}, 'former-' || n, '', '', '{}', now(), now()
          from generate_series(1, ${former}::int) n returning id
        )
        insert into member_roles (organization_id, user_id, role_id, source, granted_at)
        select ${organizationId}, ${userId}, id, 'sso', now() from added`;
      const place = `/v1/orgs/${organizationId}/sso`;
      const [identity] = await at.sql`select id from sso_identities where user_id = ${userId}`;
      const ended = {
        rule: () => owner.put(`${place}/policy`, { mode: "optional" }),
        deactivation: () => owner.post(`${place}/connections/${connectionId}/deactivate`),
        deletion: () => owner.delete(`${place}/connections/${connectionId}`),
        link: () => owner.delete(`${place}/identities/${identity?.id}`),
      }[foundation];
      expect((await ended?.())?.status).toBeLessThan(300);
      const held = await at.sql`select role_id, source from member_roles where user_id = ${userId}`;
      expect([...held]).toEqual([{ role_id: manual.id, source: "manual" }]);
      const { allowed } = (
        await owner.at(at.other.url).post(`/v1/orgs/${organizationId}/permissions/check`, {
          user_id: userId,
          permissions: ["audit.read", "members.list"],
        })
      ).body;
      expect(allowed).toEqual({ "audit.read": false, "members.list": true });
      const records = await at.sql`
        select metadata from audit_logs
        where action = 'member.roles_changed' and resource_id = ${userId} and actor_id = ${ownerId}
          and metadata ->> 'source' = 'sso'`;
      const removed = records.flatMap(({ metadata }) => metadata.removed.split(" "));
      expect([removed.length, removed.includes(ruled.key)]).toEqual([former + 1, true]);
    },
  );

  test("A removal of an identity waits for a sign-in, and withdraws the role of the sign-in (G226).", async () => {
    const { at, forged } = sso;
    const { organizationId } = forged;
    await grantByGroup();
    const person = fresh();
    const userId = String((await enter(person)).body.user.user_id);
    const [identity] = await at.sql`select id from sso_identities where user_id = ${userId}`;
    const remover = await memberWith(at, organizationId, "owner");
    await presentFactor(at.sql, remover.userId);
    let entering: Promise<Answer> | undefined;
    let removing: Promise<Answer> | undefined;
    await at.sql.begin(async (sql) => {
      await sql`select 1 from sso_policies where organization_id = ${organizationId} for update`;
      entering = enter({ ...person, groups: ["audit"] });
      await statementsWait(at.sql, 1, "%sso_policies%for share%");
      removing = remover.client.delete(`/v1/orgs/${organizationId}/sso/identities/${identity?.id}`);
      await statementsWait(at.sql, 1, "%sso_identities%for update of i%");
    });
    await entering;
    expect((await removing)?.status).toBe(204);
    expect(await at.sql`select 1 from member_roles where user_id = ${userId}`).toHaveLength(0);
  });

  test("A sign-in beside a change of the policy grants no role of a removed rule (G226).", async () => {
    const { at, forged } = sso;
    const { organizationId } = forged;
    await grantByGroup();
    let entering: Promise<Answer> | undefined;
    await at.sql.begin(async (sql) => {
      await sql`
        update sso_policies set role_rules = '[]', revision = revision + 1 where organization_id = ${organizationId}`;
      entering = enter({ ...fresh(), groups: ["audit"] });
      await statementsWait(at.sql, 1, "%sso_policies%for share%");
    });
    const response = await entering;
    expect([response?.status, response?.body.capabilities.permissions]).toEqual([200, []]);
  });

  test("Roles by rules stay with a further active connection, and with roles at the first sign-in only.", async () => {
    const { at, forged } = sso;
    const connectionId = randomUUID();
    const { owner, ownerId, organizationId } = await company(at, connectionId, forged.provider.url);
    await presentFactor(at.sql, ownerId);
    const role = await createdRole({ client: owner, userId: ownerId, organizationId }, ["audit.read"]);
    const roleRules = [{ from: "groups", value: "audit", role: role.key }];
    await setPolicy(at, organizationId, { roleRules });
    const { userId } = await memberWith(at, organizationId, "member");
    const place = `/v1/orgs/${organizationId}/sso/connections`;
    const { body } = await owner.post(place, { name: "Second" });
    await at.sql`update sso_connections set status = 'active' where id = ${body.id}`;
    for (const id of [connectionId, body.id])
      await at.sql`
        insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at,
                                    last_used_at)
        values (gen_random_uuid(), ${id}, ${Buffer.from(id)}, 'subject', ${userId}, 'domain', now(), now())`;
    await at.sql`
      insert into member_roles (organization_id, user_id, role_id, source, granted_at)
      values (${organizationId}, ${userId}, ${role.id}, 'sso', now())`;
    const rolesAfterEndOf = async (id: string) => {
      expect((await owner.post(`${place}/${id}/deactivate`)).status).toBe(200);
      return (await at.sql`select 1 from member_roles where user_id = ${userId}`).length;
    };
    expect(await rolesAfterEndOf(body.id)).toBe(1);
    await setPolicy(at, organizationId, { roleRules, sync: "first" });
    expect(await rolesAfterEndOf(connectionId)).toBe(1);
    // With `sync: always` again, a repeated deactivation ends the role.
    await setPolicy(at, organizationId, { roleRules });
    expect(await rolesAfterEndOf(connectionId)).toBe(0);
  });

  test("off signs in members only, also with an invitation.", async () => {
    const { at, forged } = sso;
    await setPolicy(at, forged.organizationId, { jit: "off" });
    const claims = fresh();
    expect((await invite(forged.owner, forged.organizationId, claims.email)).status).toBe(201);
    expect(codeOf(await enter(claims))).toBe(REFUSED);
    const member = fresh();
    const person = await personWith(member.email);
    await insertMember(at.sql, forged.organizationId, person.userId);
    expect((await enter(member)).status).toBe(200);
  });

  test("maps groups to roles at every sign-in, never to owner, and changes no owner.", async () => {
    const { at, forged } = sso;
    await changeConnection(at, forged.connectionId, { config: { groups_from: "groups" } });
    await setPolicy(at, forged.organizationId, { roleRules: [{ from: "groups", value: "Admins", role: "admin" }] });
    const claims = fresh();
    const roleAfter = async (groups: unknown) => (await enter({ ...claims, groups })).body.capabilities.role;
    expect([await roleAfter(["Admins"]), await roleAfter([]), await roleAfter(["Admins", "x"])]).toEqual([
      "admin",
      "member",
      "admin",
    ]);
    const [{ user_id: userId } = {}] = await at.sql`select user_id from sso_identities where subject = ${claims.sub}`;
    await at.sql`
      update members set role = 'owner' where user_id = ${userId} and organization_id = ${forged.organizationId}`;
    expect(await roleAfter([])).toBe("owner");
  });

  test("maps no role of a user whom an active directory provisions, and admits no deactivated user.", async () => {
    const { at, forged } = sso;
    await changeConnection(at, forged.connectionId, { config: { groups_from: "groups" } });
    await setPolicy(at, forged.organizationId, { roleRules: [{ from: "groups", value: "Admins", role: "admin" }] });
    const claims = fresh();
    const roleAfter = async (groups: unknown) => (await enter({ ...claims, groups })).body.capabilities.role;
    expect(await roleAfter([])).toBe("member");
    const [{ user_id: userId } = {}] = await at.sql`select user_id from sso_identities where subject = ${claims.sub}`;
    await at.sql`
      with directory as (
        insert into directories (id, organization_id, status, default_role, outside_domains, role_source, revision,
                                 created_at, updated_at)
        values (gen_random_uuid(), ${forged.organizationId}, 'active', 'member', 'refuse', 'groups', 1, now(), now())
        returning id
      )
      insert into directory_users (id, directory_id, user_name, user_name_key, active, document, email_keys, user_id,
                                   link, version, created_at, updated_at)
      select gen_random_uuid(), id, 'ada', 'ada', true, '{}', '{}', ${userId}, 'member', 1, now(), now()
      from directory`;
    expect((await enter({ ...claims, groups: ["Admins"], name: "Renamed" })).body.capabilities.role).toBe("member");
    expect((await accountOf(String(userId))).user?.display_name).not.toBe("Renamed");
    const inactive = fresh();
    await at.sql`
      insert into directory_users (id, directory_id, user_name, user_name_key, active, document, email_keys, link,
                                   version, created_at, updated_at)
      select gen_random_uuid(), id, ${inactive.email}, ${inactive.email}, false, '{}', '{}', 'domain', 1, now(), now()
      from directories where organization_id = ${forged.organizationId}`;
    expect((await enter(inactive)).status).toBe(403);
    await at.sql`update directories set status = 'paused' where organization_id = ${forged.organizationId}`;
    expect(await roleAfter(["Admins"])).toBe("admin");
    await at.sql`delete from directories where organization_id = ${forged.organizationId}`;
  });
});

describe("a user whom the organization manages", () => {
  test("follows name and address of the identity provider, with a mail to both addresses.", async () => {
    const { at, forged } = sso;
    const claims = fresh();
    const { user_id: userId } = (await enter({ ...claims, name: "Ada King" })).body.user;
    const email = `renamed-${userId}@${forged.domain}`;
    expect((await enter({ ...claims, email, name: "Ada Lovelace" })).status).toBe(200);
    const { user } = await accountOf(userId);
    expect(user).toMatchObject({ email, display_name: "Ada Lovelace", managed_by: forged.organizationId });
    for (const address of [claims.email, email]) await at.mail.mailsTo(address, /address/);
  });

  test("keeps roles where the provider leaves groups out: the attempt carries groups_incomplete (G394).", async () => {
    const { at, forged } = sso;
    await grantByGroup();
    const claims = fresh();
    const { user_id: userId } = (await enter({ ...claims, groups: ["audit"] })).body.user;
    const roles = () => at.sql`select role_id from member_roles where user_id = ${userId} and source = 'sso'`;
    expect(await roles()).toHaveLength(1);
    const elsewhere = { _claim_names: { groups: "src1" }, _claim_sources: { src1: { endpoint: "https://x.example" } } };
    for (const incomplete of [elsewhere, { hasgroups: true }]) {
      expect((await enter({ ...claims, ...incomplete })).status).toBe(200);
      expect(await roles()).toHaveLength(1);
      const list = `/v1/orgs/${forged.organizationId}/sso/connections/${forged.connectionId}/attempts`;
      expect((await forged.owner.get(list)).body.items[0]).toMatchObject({ warning: "groups_incomplete" });
    }
    await enter({ ...claims, groups: ["other"] });
    expect(await roles()).toHaveLength(0);
    await setPolicy(at, forged.organizationId, {});
  });

  test("loses by incomplete groups what attributes gave, and keeps what groups gave (G394).", async () => {
    const { at, forged } = sso;
    const { organizationId, connectionId } = forged;
    const creator = { client: forged.owner, userId: forged.ownerId, organizationId };
    const [auditor, seller] = [await createdRole(creator, ["audit.read"]), await createdRole(creator, ["audit.read"])];
    const rule = (from: string, value: string, role: string) => ({ from, value, role });
    const byDepartment = [rule("department", "sales", seller.key), rule("department", "sales", "admin")];
    await setPolicy(at, organizationId, { roleRules: [rule("groups", "audit", auditor.key), ...byDepartment] });
    const attributes = [{ name: "department", from: "dept" }];
    await changeConnection(at, connectionId, { config: { groups_from: "groups", attributes } });
    const claims = fresh();
    const { user_id: userId } = (await enter({ ...claims, groups: ["audit"], dept: "sales" })).body.user;
    const rolesOf = async () => {
      const assigned =
        await at.sql`select role_id as id from member_roles where user_id = ${userId} and source = 'sso'`;
      const [member] = await at.sql`
        select role from members where organization_id = ${organizationId} and user_id = ${userId}`;
      return [member?.role, ...assigned.map(({ id }) => id).toSorted()];
    };
    expect(await rolesOf()).toEqual(["admin", ...[auditor.id, seller.id].toSorted()]);
    expect((await enter({ ...claims, hasgroups: true, dept: "research" })).status).toBe(200);
    expect(await rolesOf()).toEqual(["member", auditor.id]);
    await setPolicy(at, organizationId, {});
    await changeConnection(at, connectionId, { config: { groups_from: "groups", attributes: [] } });
  });

  test("keeps the address that belongs to another user: the attempt carries address_taken.", async () => {
    const { forged } = sso;
    const claims = fresh();
    const { user_id: userId } = (await enter(claims)).body.user;
    const taken = `taken-${userId}@${forged.domain}`;
    const other = await personWith(taken);
    const before = await accountOf(other.userId);
    expect((await enter({ ...claims, email: taken })).body.user.user_id).toBe(userId);
    expect((await accountOf(userId)).user?.email).toBe(claims.email);
    expect(await accountOf(other.userId)).toEqual(before);
    const list = `/v1/orgs/${forged.organizationId}/sso/connections/${forged.connectionId}/attempts`;
    expect((await forged.owner.get(list)).body.items[0]).toMatchObject({
      outcome: "success",
      warning: "address_taken",
    });
  });

  test("and who has a credential or a platform role keeps name and address for good.", async () => {
    const { at, forged } = sso;
    const own: readonly ((userId: string) => Promise<unknown>)[] = [
      (id) => at.sql`update users set password_hash = 'x' where id = ${id}`,
      (id) => at.sql`update users set platform_role = 'admin' where id = ${id}`,
      (id) => at.sql`
        insert into totp_factors (user_id, sealed_secret, confirmed_at, created_at)
        values (${id}, 'x', now(), now())`,
      (id) => at.sql`
        insert into passkeys (id, user_id, credential_id, public_key, sign_count, name, transports, device_type,
                              backed_up, aaguid, created_at)
        values (${id}, ${id}, ${Buffer.from(id)}, 'x', 0, 'Key', '{}', 'singleDevice', false, ${id}, now())`,
    ];
    for (const give of own) {
      const claims = fresh();
      const { user_id: userId } = (await enter(claims)).body.user;
      await give(userId);
      expect((await enter({ ...claims, email: `moved-${userId}@${forged.domain}`, name: "Other" })).status).toBe(200);
      const { user } = await accountOf(userId);
      expect(user).toMatchObject({ email: claims.email, display_name: null, managed_by: null });
    }
  });

  test("of another organization too keeps name and address.", async () => {
    const { at, acme, forged } = sso;
    const claims = fresh();
    const { user_id: userId } = (await enter(claims)).body.user;
    await insertMember(at.sql, acme.organizationId, userId);
    expect((await enter({ ...claims, email: `moved-${userId}@${forged.domain}`, name: "Other" })).status).toBe(200);
    expect((await accountOf(userId)).user).toMatchObject({ email: claims.email, display_name: null });
  });
});

describe("a removal", () => {
  test("403: is final for the subject and for a new subject, until an invitation.", async () => {
    const { at, forged } = sso;
    const claims = fresh();
    const { user_id: userId } = (await enter(claims)).body.user;
    await presentFactor(at.sql, forged.ownerId);
    expect((await forged.owner.delete(memberOf(forged.organizationId, userId))).status).toBe(204);
    for (const sub of [claims.sub, `${claims.sub} new`]) {
      expect([codeOf(await enter({ ...claims, sub })), await lastReason()].join()).toContain(REFUSED);
    }
    expect((await invite(forged.owner, forged.organizationId, claims.email)).status).toBe(201);
    expect((await enter(claims)).body.user.user_id).toBe(userId);
  });

  test("403: a disabled user, with the response of a user who is not invited.", async () => {
    const { at, forged } = sso;
    await setPolicy(at, forged.organizationId, { jit: "invited_only" });
    const claims = fresh();
    const person = await personWith(claims.email);
    await insertMember(at.sql, forged.organizationId, person.userId);
    await disableUser(at.sql, person.userId);
    const strip = ({ text, body }: Answer) => text.replace(body.error.request_id, "");
    const disabled = await enter(claims);
    expect([codeOf(disabled), await lastReason()]).toEqual([REFUSED, "failure disabled account"]);
    expect(strip(await enter(fresh()))).toBe(strip(disabled));
  });
});

describe("parallel sign-ins", () => {
  test("of a new employee create one user, one membership and one identity.", async () => {
    const { at, forged } = sso;
    const claims = fresh();
    forged.provider.claims = { ...claims };
    const responses = await race(() => new SsoBrowser(at.one.url).enter(forged.connectionId, "x", at.other.url), 8);
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await at.sql`select 1 from users where email = ${claims.email}`).toHaveLength(1);
    expect(await at.sql`select 1 from sso_identities where subject = ${claims.sub}`).toHaveLength(1);
  });
});

test("Every refusal has one text: the browser learns nothing about accounts.", async () => {
  const strip = ({ text, body }: Answer) => text.replace(body.error.request_id, "");
  await setPolicy(sso.at, sso.forged.organizationId, { jit: "invited_only" });
  const outside = await enter({ sub: "outside", email: newEmail() });
  const unverified = await enter({ ...fresh(), email_verified: false });
  const uninvited = await enter(fresh());
  expect(new Set([outside, unverified, uninvited].map(strip)).size).toBe(1);
  expect(new Client(sso.at.one.url).cookie("service_at")).toBeUndefined();
});

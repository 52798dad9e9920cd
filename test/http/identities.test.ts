/** Linked providers (docs/contract.md, sections 16.4 to 16.7). */
import { beforeAll, describe, expect, test } from "bun:test";
import { type Answer, type Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { OAuthBrowser } from "../support/identity/oauth-browser.ts";
import { GITHUB, GOOGLE, type SocialDeployment, socialDeployment } from "../support/identity/social.ts";
import { withAuthenticator } from "../support/mfa.ts";
import { addPasskey } from "../support/passkeys.ts";
import { deletePassword } from "../support/states.ts";

const IDENTITIES = "/v1/users/me/identities";
const PASSKEYS = "/v1/users/me/passkeys";
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";

let social: SocialDeployment;
let at: SocialDeployment["at"];
beforeAll(async () => {
  social = await socialDeployment();
  ({ at } = social);
});

const outcome = ({ status, body }: Answer) => [status, body?.error?.code];
const MFA_REQUIRED = [401, "mfa_required"];
const CONFLICT = [409, "conflict"];

/** Registers a user whose browser keeps the cookies of the service. */
async function personInBrowser() {
  const browser = new OAuthBrowser(at.one.url);
  const email = newEmail();
  const fields = { organization_name: "Acme", email, password: PASSWORD };
  const { body } = await browser.client.post("/v1/auth/register", fields);
  const { user_id: userId, session_family_id: sessionId } = body.user;
  return { browser, client: browser.client, email, userId: String(userId), sessionId: String(sessionId) };
}

type Person = Awaited<ReturnType<typeof personInBrowser>>;

async function beginLink({ client }: Pick<Person, "client">, provider = GOOGLE, redirect_to?: string) {
  const begun = await client.post(IDENTITIES, { provider, ...(redirect_to === undefined ? {} : { redirect_to }) });
  if (begun.status !== 200) throw new Error(`the link began with ${begun.status}: ${begun.text}`);
  return String(begun.body.authorization_url);
}

/** Links a new account at the provider; returns the login there. */
async function link(person: Person, provider = GOOGLE, login = social.person().login) {
  const callback = await person.browser.visit(await beginLink(person, provider), login);
  return { login, answer: await person.browser.finish(callback) };
}

const identitiesOf = async ({ client }: Pick<Person, "client">) => (await client.get(IDENTITIES)).body.items;
const unlink = (client: Client, id: string, body: object | undefined = { password: PASSWORD }) =>
  client.delete(`${IDENTITIES}/${id}`, { body });
const stepUp = (sessionId: string) =>
  at.sql`update sessions set aal = 'aal2', mfa_verified_at = now() where id = ${sessionId}`;
const age = (sessionId: string) =>
  at.sql`update sessions set auth_time = auth_time - interval '11 minutes' where id = ${sessionId}`;
const auditsOf = async (userId: string, action: string) => [
  ...(await at.sql`select outcome, metadata from audit_logs where actor_id = ${userId} and action = ${action}
    order by id`),
];

describe("POST /v1/users/me/identities", () => {
  describe("200", () => {
    test("links the provider, lists a masked label, sends a notice, and the identity signs in", async () => {
      const person = await personInBrowser();
      const { login, email } = social.person();
      const { answer } = await link(person, GOOGLE, login);
      expect(answer.status).toBe(204);
      const listed = await person.client.get(IDENTITIES);
      expect(listed.body).toEqual({
        items: [
          {
            id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            provider: GOOGLE,
            provider_name: "Google",
            label: `${email[0]}***${email.slice(email.indexOf("@"))}`,
            created_at: expect.stringMatching(/Z$/),
            last_used_at: expect.stringMatching(/Z$/),
          },
        ],
        total: 1,
        page: 1,
        page_size: 25,
      });
      expect(await auditsOf(person.userId, "auth.oauth.linked")).toEqual([
        { outcome: "success", metadata: { provider: GOOGLE } },
      ]);
      expect(await at.mail.mailsTo(person.email, /account at Google was connected/)).toHaveLength(1);
      const elsewhere = await new OAuthBrowser(at.other.url).signIn(GOOGLE, login);
      expect(elsewhere.body.user.user_id).toBe(person.userId);
    });

    test("a browser returns to redirect_to, with the code of a problem as error", async () => {
      const [person, other] = [await personInBrowser(), await personInBrowser()];
      const login = social.person().login;
      const html = { accept: "text/html" };
      const first = await person.browser.visit(await beginLink(person, GOOGLE, "/account/security?tab=1"), login);
      const linked = await person.browser.finish(first, html);
      expect([linked.status, linked.headers.get("location")]).toEqual([302, "/account/security?tab=1"]);
      const second = await other.browser.visit(await beginLink(other, GOOGLE, "/account/security?tab=1"), login);
      const refused = await other.browser.finish(second, html);
      expect(refused.headers.get("location")).toBe("/account/security?tab=1&error=conflict");
      expect((await other.client.get("/v1/auth/session")).status).toBe(200);
    });

    test("linking a linked identity again changes nothing", async () => {
      const person = await personInBrowser();
      const { login } = await link(person);
      expect((await link(person, GOOGLE, login)).answer.status).toBe(204);
      expect(await identitiesOf(person)).toHaveLength(1);
      expect(await auditsOf(person.userId, "auth.oauth.linked")).toHaveLength(1);
    });
  });

  describe("400 invalid_input", () => {
    test.each([
      [{ provider: "No Key" }],
      [{}],
      [{ provider: GOOGLE, redirect_to: "https://evil.example" }],
      [{ provider: GOOGLE, redirect_to: "//evil.example" }],
    ])("refuses %p", async (body) => {
      const { client } = await registered(at.one.url);
      expect(outcome(await client.post(IDENTITIES, body))).toEqual([400, "invalid_input"]);
    });
  });

  describe("401", () => {
    test("a session of more than ten minutes needs a step-up (G122)", async () => {
      const person = await personInBrowser();
      await age(person.sessionId);
      expect(outcome(await person.client.post(IDENTITIES, { provider: GOOGLE }))).toEqual(MFA_REQUIRED);
      await stepUp(person.sessionId);
      expect((await link(person)).answer.status).toBe(204);
    });

    test("a session of aal1 of a user with a second factor needs the factor", async () => {
      const person = await withAuthenticator(at, await personInBrowser());
      await at.sql`update sessions set aal = 'aal1', mfa_verified_at = null where id = ${person.sessionId}`;
      expect(outcome(await person.client.post(IDENTITIES, { provider: GOOGLE }))).toEqual(MFA_REQUIRED);
    });

    test("a callback in a second browser or session, or after the sign-out, links no identity (G122)", async () => {
      const [person, thief] = [await personInBrowser(), await personInBrowser()];
      const login = social.person().login;
      const foreign = await person.browser.visit(await beginLink(person), login);
      expect(outcome(await thief.browser.finish(foreign))).toEqual([401, "authentication_required"]);
      const callback = await person.browser.visit(await beginLink(person), login);
      const cookie = thief.client.cookie("service_at") ?? "";
      const own = person.client.cookie("service_at") ?? "";
      person.client.setCookie("service_at", cookie);
      expect(outcome(await person.browser.finish(callback))).toEqual([401, "authentication_required"]);
      person.client.setCookie("service_at", own);
      const late = await person.browser.visit(await beginLink(person), login);
      const [oauthCookie, accessCookie] = [person.client.cookie("service_oauth") ?? "", own];
      expect((await person.client.post("/v1/auth/logout")).status).toBe(204);
      person.client.setCookie("service_oauth", oauthCookie);
      person.client.setCookie("service_at", accessCookie);
      expect(outcome(await person.browser.finish(late))).toEqual([401, "authentication_required"]);
      const linked = await at.sql`
        select 1 from user_identities where user_id in (${person.userId}, ${thief.userId})`;
      expect(linked).toHaveLength(0);
    });

    test("a link is no sign-in: without the intent the state is unknown", async () => {
      const person = await personInBrowser();
      const callback = await person.browser.visit(await beginLink(person), social.person().login);
      await at.sql`update oauth_states set link_session_id = null where link_session_id = ${person.sessionId}`;
      expect(outcome(await person.browser.finish(callback))).toEqual([401, "authentication_required"]);
    });
  });

  describe("409 conflict", () => {
    test("an identity of another user is refused, and no user receives a name (G122)", async () => {
      const [owner, other] = [await personInBrowser(), await personInBrowser()];
      const { login } = await link(owner);
      const { answer } = await link(other, GOOGLE, login);
      expect(outcome(answer)).toEqual(CONFLICT);
      expect(answer.text).not.toContain(owner.email);
      expect(await identitiesOf(other)).toEqual([]);
      expect(await auditsOf(other.userId, "auth.oauth.linked")).toEqual([
        { outcome: "failure", metadata: { provider: GOOGLE, reason: "linked_to_another_user" } },
      ]);
    });

    test("of 20 parallel links of one identity by 20 users over two replicas, a single link succeeds", async () => {
      const login = social.person().login;
      const callbacks = await race(async () => {
        const person = await personInBrowser();
        return { person, callback: await person.browser.visit(await beginLink(person), login) };
      });
      const answers = await Promise.all(callbacks.map(({ person, callback }) => person.browser.finish(callback)));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(409)]);
    });
  });
});

describe("DELETE /v1/users/me/identities/:id", () => {
  describe("204", () => {
    test("unlinks by the password, remembers the identity by hash, and sends a notice (G122)", async () => {
      const person = await personInBrowser();
      await link(person);
      const [identity] = await identitiesOf(person);
      expect((await unlink(person.client, identity.id)).status).toBe(204);
      expect(await identitiesOf({ client: person.client.at(at.other.url) })).toEqual([]);
      expect(await auditsOf(person.userId, "auth.identity.unlinked")).toEqual([
        { outcome: "success", metadata: { provider: GOOGLE } },
      ]);
      expect(await at.mail.mailsTo(person.email, /Google was unlinked/)).toHaveLength(1);
      const [row] = await at.sql`select identity_hash from unlinked_identities where user_id = ${person.userId}`;
      expect(row?.identity_hash.length).toBe(32);
    });
  });

  describe("401", () => {
    test("without password and step-up, with a wrong password, and at aal1 beside a second factor", async () => {
      const person = await personInBrowser();
      await link(person);
      const [{ id }] = await identitiesOf(person);
      expect(outcome(await unlink(person.client, id, {}))).toEqual([401, "authentication_required"]);
      expect(outcome(await unlink(person.client, id, { password: "wrong password" }))).toEqual([
        401,
        "authentication_required",
      ]);
      await withAuthenticator(at, person);
      await at.sql`update sessions set aal = 'aal1', mfa_verified_at = null where id = ${person.sessionId}`;
      expect(outcome(await unlink(person.client, id))).toEqual(MFA_REQUIRED);
      expect(await identitiesOf(person)).toHaveLength(1);
    });
  });

  describe("404 not_found", () => {
    test("a foreign, an unknown and a malformed id have equal responses (G16)", async () => {
      const [owner, other] = [await personInBrowser(), await personInBrowser()];
      await link(owner);
      const [{ id }] = await identitiesOf(owner);
      for (const each of [id, UNKNOWN, "x"]) {
        expect(outcome(await unlink(other.client, each))).toEqual([404, "not_found"]);
      }
      expect(await identitiesOf(owner)).toHaveLength(1);
    });
  });

  describe("409 conflict", () => {
    /** Creates a user without a password, with the given number of identities and a passkey on request. */
    async function personWithoutPassword(identities: number) {
      const person = await personInBrowser();
      for (let count = 0; count < identities; count += 1) await link(person, count % 2 ? GITHUB : GOOGLE);
      const { passkeyId } = await addPasskey(person.client);
      await stepUp(person.sessionId);
      await deletePassword(at.sql, person.userId);
      return { ...person, passkeyId };
    }

    test("of the last two ways, removed by 20 requests at once over two replicas, one stays (G123)", async () => {
      const person = await personWithoutPassword(1);
      const [{ id }] = await identitiesOf(person);
      const answers = await race((index) => {
        const client = person.client.at(index % 2 ? at.one.url : at.other.url);
        return index % 4 < 2 ? unlink(client, id, {}) : client.delete(`${PASSKEYS}/${person.passkeyId}`);
      });
      for (const { status } of answers) expect([204, 404, 409]).toContain(status);
      const [left] = await at.sql`
        select (select count(*)::int from user_identities where user_id = ${person.userId})
             + (select count(*)::int from passkeys where user_id = ${person.userId} and deleted_at is null) as ways`;
      expect(left?.ways).toBe(1);
    });
  });
});

describe("the sessions of a linked provider", () => {
  test("a password session lists the same identities as a social session", async () => {
    const person = await personInBrowser();
    await link(person);
    const { client } = await signedIn(at.other.url, person.email);
    expect(await identitiesOf({ client })).toEqual(await identitiesOf(person));
  });
});

/** Access beside sign-in methods that a squatter set up: the parts that the first controlling proof ends. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { Client, newEmail, PASSWORD, signedIn } from "../support/client.ts";
import { deadlocksIn, race } from "../support/deployment.ts";
import { GOOGLE, type SocialDeployment, socialDeployment } from "../support/identity/social.ts";
import { CODE, codeIn, INVITE_LINK, RESET_LINK, tokenTo } from "../support/mail.ts";
import { codeOf, forgetUsedStep } from "../support/mfa.ts";
import { authorizePath, exchange, makePkce } from "../support/oauth.ts";
import { ISSUER } from "../support/replica.ts";
import { accountsOf, keyOf } from "../support/service-accounts.ts";
import { openStream } from "../support/signal-receiver.ts";
import { openWays, owner, type Squatter, squat, waitForRevocation } from "../support/squatter.ts";
import { application, browserOf, consentedCode, OFFLINE, openAccess } from "../support/squatter-access.ts";
import { proveMailbox, suspendOrganization } from "../support/states.ts";
import { newOwner, statementsWait, stepUpSessions } from "../support/team.ts";
import { eventually, until } from "../support/waiting.ts";
import { type Receiver, startReceiver } from "../support/webhook-receiver.ts";

const INSTALL_DEADLINE_MS = 300_000;
const NEW_PASSWORD = "another horse, another battery";

let social: SocialDeployment;
let at: SocialDeployment["at"];
let receiver: Receiver;
/** Ends the requests that the receiver holds. */
let release: () => void = () => undefined;
beforeAll(async () => {
  social = await socialDeployment();
  ({ at } = social);
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver = startReceiver(async ({ path }) => {
    if (path.startsWith("/held")) await held;
    return new Response(null, { status: 500 });
  });
}, INSTALL_DEADLINE_MS);
afterAll(async () => await receiver.stop());

const proofs: Readonly<Record<string, (squatter: Squatter) => Promise<unknown>>> = {
  "a password reset": ({ email }) => owner.resets(social, email, NEW_PASSWORD),
  "an emailed code": ({ email }) => owner.entersCode(social, email),
  async "a social sign-in"({ email }) {
    await owner.opensLink(social, email);
    await owner.signsInAt(social, GOOGLE, email);
  },
  "an invitation of an account that cannot sign in": acceptInvitation,
};

async function acceptInvitation({ email, organizationId }: Squatter): Promise<void> {
  await suspendOrganization(at.sql, organizationId);
  const host = await newOwner(at);
  await host.client.post(`/v1/orgs/${host.organizationId}/invitations`, { email });
  const token = await tokenTo(at.mail, email, INVITE_LINK);
  const accepted = await new Client(at.one.url).post("/v1/auth/invitations/accept", { token });
  await at.sql`update organizations set suspended_at = null where id = ${organizationId}`;
  expect(accepted.status).toBe(200);
}

describe("the first controlling proof", () => {
  test.each(Object.keys(proofs))(
    "by %s ends keys, webhooks, streams and applications on both replicas",
    async (name) => {
      const squatter = await squat(social);
      await proofs[name]?.(squatter);
      await waitForRevocation(social, squatter);
      expect(await openWays(social, squatter)).toEqual([]);
      const [left] = await at.sql`
      select (select count(*)::int from oauth_grants where user_id = ${squatter.userId}) as grants,
             (select count(*)::int from webhook_deliveries d join webhooks w on w.id = d.webhook_id
              where w.created_by = ${squatter.userId} and d.status = 'pending') as pending`;
      expect(left).toEqual({ grants: 0, pending: 0 });
    },
  );

  test("puts the keys and the families of applications into the feed of revocations", async () => {
    const squatter = await squat(social);
    const sid = String(decodeJwt(squatter.access.tokens.access_token).sid);
    await owner.entersCode(social, squatter.email);
    const feed = await new Client(at.one.url).get("/.well-known/service-revocations.json");
    expect(feed.text).toContain(sid);
    await eventually("the feed of the other replica", 1000, async () =>
      (await new Client(at.other.url).get("/.well-known/service-revocations.json")).text.includes(sid),
    );
  });

  test("voids an issued code and a pending request, and prompt=none asks the owner for consent", async () => {
    const squatter = await squat(social);
    const { wiki } = squatter.access;
    const browser = browserOf(squatter);
    const code = await consentedCode(wiki, browser);
    const pending = await browser.follow(authorizePath(wiki, makePkce().challenge, { ...OFFLINE, prompt: "consent" }));
    expect(pending.path).toStartWith("/oauth2/consent");
    const { client } = await owner.entersCode(social, squatter.email);
    expect((await exchange(at.other.url, wiki, code)).body.error).toBe("invalid_grant");
    expect(await at.sql`select 1 from oauth_requests where user_id = ${squatter.userId}`).toHaveLength(0);
    const silent = authorizePath(wiki, makePkce().challenge, { ...OFFLINE, prompt: "none" });
    const { location } = await browserOf({ client }).follow(silent);
    expect(location?.searchParams.get("error")).toBe("consent_required");
  });

  test("voids an mfa_token, a reset link and an emailed code that were issued before", async () => {
    const challenged = await squat(social, "totp");
    const { mfa_token } = (await signedIn(at.one.url, challenged.email)).answer.body;
    const { email } = await newOwner(at);
    const anonymous = new Client(at.one.url);
    await anonymous.post("/v1/auth/password/forgot", { email });
    const token = await tokenTo(at.mail, email, RESET_LINK);
    await owner.entersCode(social, email);
    const reset = await anonymous.post("/v1/auth/password/reset", { token, new_password: NEW_PASSWORD });
    expect(reset.status).toBe(401);

    await anonymous.post("/v1/auth/email-otp/request", { email: challenged.email });
    const code = codeIn((await at.mail.mailsTo(challenged.email, CODE)).at(-1));
    await owner.resets(social, challenged.email, NEW_PASSWORD);
    const verified = await anonymous.post("/v1/auth/email-otp/verify", { email: challenged.email, code });
    expect(verified.status).toBe(401);
    await forgetUsedStep(at.sql, challenged.userId);
    const totp = codeOf(challenged.totp?.secret ?? "");
    expect((await anonymous.post("/v1/auth/mfa/challenge", { mfa_token, code: totp })).status).toBe(401);
  });

  test("leaves what a user with an earlier proof created", async () => {
    const { client, ...person } = await newOwner(at);
    await proveMailbox(at.sql, person.userId);
    const access = await openAccess(social, { ...person, client });
    await owner.entersCode(social, person.email);
    const members = `/v1/orgs/${person.organizationId}/members`;
    expect((await new Client(at.one.url).get(members, { bearer: access.key.key })).status).toBe(200);
    const [webhooks] = await at.sql`
      select bool_and(enabled or stream_status = 'enabled') as live, count(*)::int as count
      from webhooks where created_by = ${person.userId}`;
    expect(webhooks).toEqual({ live: true, count: 2 });
  });

  test("leaves creations of further administrators of the organization", async () => {
    const squatter = await newOwner(at);
    const other = await newOwner(at);
    await at.sql`
      insert into members (organization_id, user_id, role, joined_at)
      values (${squatter.organizationId}, ${other.userId}, 'admin', now())`;
    const { organizationId } = squatter;
    const access = await openAccess(social, { ...other, organizationId });
    await owner.entersCode(social, squatter.email);
    const members = `/v1/orgs/${organizationId}/members`;
    expect((await new Client(at.one.url).get(members, { bearer: access.key.key })).status).toBe(200);
  });
});

describe("the notice", () => {
  const inert = (address: string) => address.replace("@", " [at] ").replaceAll(".", "[.]");

  test("names each removed item and the invited members, without a link that the squatter chose", async () => {
    const squatter = await squat(social);
    const { organizationId, client } = squatter;
    const guest = newEmail();
    await client.post(`/v1/orgs/${organizationId}/invitations`, { email: guest, role: "admin" });
    const token = await tokenTo(at.mail, guest, INVITE_LINK);
    await new Client(at.one.url).post("/v1/auth/invitations/accept", { token, password: PASSWORD });
    await at.sql`update passkeys set name = 'Read evil.example/help <b>' where user_id = ${squatter.userId}`;
    await owner.entersCode(social, squatter.email);
    const [mail] = await at.mail.mailsTo(squatter.email, /Everything that was set up/);
    const lines = mail?.text.split("\n").filter((line) => line.startsWith("- "));
    const [key] = await at.sql`select key_id from api_keys where id = ${squatter.access.key.id}`;
    const [organization] = await at.sql`select name from organizations where id = ${organizationId}`;
    expect(lines).toEqual([
      `- API key “Nightly export (${key?.key_id}…)”`,
      "- Trust in an external issuer “Nightly export (Pipeline)”",
      "- Webhook (turned off) “127[.]0[.]0[.]1:9”",
      "- Event stream (turned off) “poll”",
      "- Connected application “Wiki of others”",
      "- Trusted browser",
      "- Passkey “Read evil[.]example help <b>”",
      "- Linked provider “Facebook”",
      "- Linked company account “Acme”",
      `- Open invitation “${inert(squatter.accomplice)}”`,
      "- Setup link for single sign-on",
      "- Password",
      `- ${inert(guest)} in “${organization?.name}”`,
    ]);
    expect(mail?.text).toContain(`\n${ISSUER}/team\n`);
    const items = [...(mail?.html.matchAll(/<li>(.*?)<\/li>/g) ?? [])].map(([, item = ""]) => `- ${item}`);
    expect(items).toEqual((lines ?? []).map((line) => line.replace("<b>", "&lt;b&gt;")));
    const links = [...(mail?.html.matchAll(/<a href="([^"]+)"/g) ?? [])].map(([, href = ""]) => href);
    expect(links.map((href) => href.replaceAll("&#x2F;", "/"))).toEqual([
      `${ISSUER}/team`,
      `${ISSUER}/account/security`,
    ]);
    expect(mail?.html).not.toContain("<b>");
  });

  test("is German for a German account", async () => {
    const email = newEmail();
    const fields = { organization_name: "Acme", email, password: PASSWORD };
    const client = new Client(at.one.url);
    const { body } = await client.post("/v1/auth/register", fields, { headers: { "accept-language": "de" } });
    const { organization_id: organizationId, user_id: userId } = body.user;
    await stepUpSessions(at.sql, userId);
    await keyOf(client.at(at.other.url), accountsOf(organizationId), ["members.list"]);
    await owner.entersCode(social, email);
    const [mail] = await at.mail.mailsTo(email, /zum ersten Mal bestätigt/);
    expect(mail?.text).toMatch(/^- API-Schlüssel „Nightly export \(.{8}…\)“$/m);
  });
});

describe("deliveries of a squatter's webhook", () => {
  async function hookAt(path: string) {
    const squatter = await newOwner(at);
    const url = `${receiver.url}${path}`;
    const base = `/v1/orgs/${squatter.organizationId}/webhooks`;
    const { body } = await squatter.client.post(base, { url, event_types: ["*"] });
    return { ...squatter, base, webhookId: String(body.id) };
  }
  const statusesOf = async (webhookId: string) =>
    (await at.sql`select distinct status from webhook_deliveries where webhook_id = ${webhookId}`).map(
      (row) => row.status,
    );

  test("that wait are given up, and are not sent when the owner switches the webhook on", async () => {
    const path = `/refusing-${crypto.randomUUID()}`;
    const { webhookId, base, email } = await hookAt(path);
    await signedIn(at.one.url, email);
    const [first] = await receiver.received(path, 1);
    const { client } = await owner.entersCode(social, email);
    const [user] = await at.sql`select id from users where email = ${email}`;
    await stepUpSessions(at.sql, user?.id);
    expect(await statusesOf(webhookId)).toEqual(["failed"]);
    const sent = receiver.at(path).length;
    const [shown] = (await client.get(base)).body.items;
    expect(shown).toMatchObject({ enabled: false, disabled_reason: "control_proven" });
    expect((await client.patch(`${base}/${webhookId}`, { enabled: true })).status).toBe(200);
    await client.patch("/v1/users/me", { display_name: "Ann" });
    const later = (await receiver.received(path, sent + 1)).slice(sent);
    expect(later.map(({ id }) => id)).not.toContain(first?.id);
    expect(later.map(({ body }) => body.type)).not.toContain("auth.control.proven");
  });

  test("that are in flight are not repeated after a failure", async () => {
    const path = `/held-${crypto.randomUUID()}`;
    const { webhookId, email } = await hookAt(path);
    await signedIn(at.one.url, email);
    await receiver.received(path, 1);
    await owner.entersCode(social, email);
    const sent = receiver.at(path).length;
    release();
    await until("the sender has recorded the failure", async () => {
      const [row] = await at.sql`select failures from webhooks where id = ${webhookId}`;
      return row?.failures > 0;
    });
    expect(await statusesOf(webhookId)).toEqual(["failed"]);
    expect(receiver.at(path)).toHaveLength(sent);
  });
});

describe("races of the first proof, over both replicas", () => {
  const url = (index: number) => (index % 2 ? at.one.url : at.other.url);

  test("a silent authorization that waits for the user locks no consent: no deadlock follows", async () => {
    const squatter = await newOwner(at);
    const wiki = await application(social);
    const browser = browserOf(squatter);
    await consentedCode(wiki, browser);
    const silent = authorizePath(wiki, makePkce().challenge, { ...OFFLINE, prompt: "none" });
    let authorized: ReturnType<typeof browser.follow> | undefined;
    await at.sql.begin(async (sql) => {
      await sql`select 1 from users where id = ${squatter.userId} for no key update`;
      authorized = browser.follow(silent);
      // PostgreSQL displays the beginning of the statement that issues a code.
      await statementsWait(at.sql, 1, '%"acting" as (%');
      const grants = await at.sql`select 1 from oauth_grants where user_id = ${squatter.userId} for update nowait`;
      expect(grants).toHaveLength(1);
    });
    expect((await authorized)?.location?.searchParams.get("code")).toMatch(/^.{20,}$/);
  });

  test("20 keys, webhooks, streams, invitations and codes beside it have ended, or were never created", async () => {
    const deadlocks = await deadlocksIn(at.sql);
    const wiki = await application(social);
    for (let round = 0; round < 3; round += 1) {
      const squatter = await newOwner(at);
      const { client, organizationId, userId, email } = squatter;
      const access = await openAccess(social, squatter);
      const base = `/v1/orgs/${organizationId}`;
      const accounts = await race(
        () => client.at(at.other.url).post(`${base}/service-accounts`, { name: "Robot" }),
        10,
      );
      const browser = browserOf(squatter);
      const pkce = makePkce();
      const [{ answer }] = await Promise.all([
        owner.entersCode(social, email),
        race((index) => {
          const path = `${base}/service-accounts/${accounts[index]?.body.id}/keys`;
          return client.at(at.other.url).post(path, { scopes: ["members.list"] });
        }, 10),
        race(
          (index) =>
            client.at(url(index)).post(`${base}/webhooks`, { url: "https://127.0.0.1:9/", event_types: ["*"] }),
          10,
        ),
        race((index) => client.at(url(index)).patch(`${base}/webhooks/${access.webhookId}`, { enabled: true }), 5),
        race(
          (index) =>
            new Client(url(index)).post(
              `${base}/invitations`,
              { email: newEmail(), role: "admin" },
              { bearer: access.key.key },
            ),
          5,
        ),
        race(() => openStream(at, access.key, { delivery: { method: "urn:ietf:rfc:8936" } }).catch(() => undefined), 3),
        race(() => browser.follow(authorizePath(wiki, pkce.challenge, { ...OFFLINE, prompt: "none" })), 10),
      ]);
      expect(answer.status, answer.text).toBe(200);
      const [left] = await at.sql`
        select (select count(*)::int from api_keys where created_by = ${userId} and revoked_at is null) as keys,
               (select count(*)::int from webhooks
                where created_by = ${userId} and (enabled or stream_status <> 'disabled')) as webhooks,
               (select count(*)::int from invitations
                where invited_by = ${userId} and accepted_at is null and revoked_at is null) as invitations,
               (select count(*)::int from oauth_grants where user_id = ${userId}) as grants,
               (select count(*)::int from oauth_codes where user_id = ${userId}) as codes`;
      expect(left).toEqual({ keys: 0, webhooks: 0, invitations: 0, grants: 0, codes: 0 });
    }
    // A third party that deadlocks the owner's proof could make the proof fail.
    expect(await deadlocksIn(at.sql)).toBe(deadlocks);
  });
});

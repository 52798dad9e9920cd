/** The page of service accounts and webhooks, by the forms. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AUDIT_ACTIONS } from "../../src/vocabulary/audit-action.ts";
import { Client, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { FormClient, mainOf, redirectOf, SAME_ORIGIN, STEP_UP_ASKED } from "../support/pages.ts";
import { platformUser, steppedUpAdmin, steppedUpPlatformUser } from "../support/platform.ts";
import { steppedUpOwner } from "../support/service-accounts.ts";
import { ageFactor, moveSessions } from "../support/states.ts";
import { memberWith, newOwner } from "../support/team.ts";
import { until } from "../support/waiting.ts";
import { type Receiver, startReceiver, verifyDelivery } from "../support/webhook-receiver.ts";

const PAGE = "/machines";
const CONSOLE = "/admin/machines";
const SCRIPT = `"><script>alert(1)</script>'`;
let at: Deployment;
let receiver: Receiver;
beforeAll(async () => {
  at = await deployment();
  receiver = startReceiver(({ path }) => {
    return path.startsWith("/gone")
      ? new Response("no more <b>", { status: 410 })
      : new Response(null, { status: 204 });
  });
});
afterAll(() => receiver.stop());

/** Returns the browser of a signed-in user. */
async function formsOf({ client }: { readonly client: Client }) {
  const forms = new FormClient(at.one.url);
  Object.assign(forms.client, { jar: client.jar });
  const csrf = await forms.csrf("/account");
  return { forms, send: (fields: Record<string, string>, path = PAGE) => forms.post(path, { csrf, ...fields }) };
}

const idIn = (text: string) => /name="id" value="([^"]+)"/.exec(text)?.[1] ?? "";
const accountIn = (text: string) => /form=create-key&amp;id=([0-9a-f-]{36})/.exec(text)?.[1] ?? "";
const codeIn = (text: string) => /<li>((?:localhost_sk|whsec)_[^<]+)<\/li>/.exec(text)?.[1] ?? "";

describe(PAGE, () => {
  test("makes a service account and a key, shows the key once, and revokes it", async () => {
    const owner = await steppedUpOwner(at);
    const { forms, send } = await formsOf(owner);
    expect(redirectOf(await send({ step: "create-account", name: "Nightly" }))).toEqual([PAGE, "account"]);
    const id = accountIn((await forms.get(PAGE)).text);
    const form = (await forms.get(`${PAGE}?form=create-key&id=${id}`)).text;
    for (const days of [30, 90, 180, 365]) expect(form).toContain(`<option value="${days}"`);
    expect(form).toContain("<code>members.list</code>");
    const fields = { id, name: "Production", "scope:members.list": "yes", days: "30" };
    const made = await send({ step: "create-key", ...fields });
    const key = codeIn(made.text);
    expect(key).toMatch(/^localhost_sk_[0-9A-Za-z]{46}$/);
    const session = await new Client(at.one.url).get("/v1/auth/session", { bearer: key });
    expect(session.body.user.scopes).toEqual(["members.list"]);
    const page = (await forms.get(PAGE)).text;
    // The beginning of a leaked key finds the key in the list.
    expect(page).toContain(`${key.slice(0, 21)}…`);
    expect(page).toContain(`Created by ${owner.email}`);
    expect(page).not.toContain(key);
    const ask = /\/machines\/confirm\?step=revoke-key[^"]+/.exec(page)?.[0].replaceAll("&amp;", "&") ?? "";
    const question = (await forms.get(`${ask}&name=Another`)).text;
    expect(question).toContain(`Revoke the key Production (${key.slice(0, 21)}…)?`);
    expect(question).not.toContain("Another");
    const revoked = await send({ step: "revoke-key", id: idIn(question) });
    expect(redirectOf(revoked)).toEqual([PAGE, "key-revoked"]);
    expect((await new Client(at.one.url).get("/v1/auth/session", { bearer: key })).status).toBe(401);
    const noScope = await send({ step: "create-key", id, days: "30" });
    expect([noScope.status, noScope.text.includes(`id="scopes-error" role="alert"`)]).toEqual([400, true]);
    expect(noScope.text.match(/<input[^>]* autofocus/g)).toEqual([expect.stringContaining('name="scope:')]);
    for (const days of ["400", "abc", ""]) {
      const refused = await send({ step: "create-key", id, "scope:members.list": "yes", days });
      expect([days, refused.status, refused.text.includes("from 1 to 365")]).toEqual([days, 400, true]);
      expect(refused.text).toContain('name="scope:members.list" value="yes" checked');
    }
    expect(redirectOf(await send({ step: "delete-account", id }))).toEqual([PAGE, "account-deleted"]);
  });

  test("asks for the second factor where a key needs it: to be shown again, or set up first", async () => {
    const [without, led] = [await registered(at.one.url), await steppedUpOwner(at)];
    await ageFactor(at.sql, led.userId, 60);
    await led.client.post("/v1/auth/refresh");
    for (const person of [without, led]) {
      const { forms, send } = await formsOf(person);
      await send({ step: "create-account", name: "Nightly" });
      const id = accountIn((await forms.get(PAGE)).text);
      const before = (await forms.get(`${PAGE}?form=create-key&id=${id}`)).text;
      expect(before).toMatch(
        person === led
          ? /Creating a key needs two-step verification\. <a [^>]+>Verify again</
          : /Creating a key needs two-step verification\. <a [^>]+>Set up</,
      );
      const asked = await send({ step: "create-key", id, "scope:members.list": "yes", days: "30" });
      expect(redirectOf(asked)[0]).toBe(STEP_UP_ASKED);
    }
  });

  test("keeps what was typed for an account beyond the first page of the list", async () => {
    const owner = await steppedUpOwner(at);
    const { forms, send } = await formsOf(owner);
    const [oldest] = await at.sql`
      insert into service_accounts (id, organization_id, name, created_by, created_at)
      select gen_random_uuid(), ${owner.organizationId}, 'Nightly', ${owner.userId}, now() + n * interval '1 second'
      from generate_series(1, 11) n returning id`;
    const id = String(oldest?.id);
    expect((await forms.get(PAGE)).text).not.toContain(id);
    expect((await forms.get(`${PAGE}?page=2`)).text).toContain(`form=create-key&amp;id=${id}`);
    const refused = await send({ step: "create-key", id, "scope:members.list": "yes", days: "400" });
    expect([refused.status, refused.text.includes(`name="id" value="${id}"`)]).toEqual([400, true]);
    expect(refused.text).toContain('name="scope:members.list" value="yes" checked');
  });

  test("chooses events in groups, opens a delivery to request and response, and edits the webhook", async () => {
    const { forms, send } = await formsOf(await newOwner(at));
    const form = (await forms.get(`${PAGE}?form=create-webhook`)).text;
    expect(form).toContain('type="url"');
    expect(form).toContain('placeholder="https://example.com/hooks"');
    for (const action of AUDIT_ACTIONS) expect(form).toContain(`name="event_types" value="${action}"`);
    expect([form.includes('value="*"'), form.includes("audit.checkpoint")]).toEqual([true, false]);
    expect(form).not.toContain('value="sign_in.*"');
    const none = await send({ step: "create-webhook", url: `${receiver.url}/events` });
    expect([none.status, none.text.includes("Choose at least one event")]).toEqual([400, true]);
    const chosen = ["member.removed", "auth.*", "nonsense.event"];
    const fields = [
      ["csrf", await forms.csrf("/account")],
      ["step", "create-webhook"],
      ["url", `${receiver.url}/events`],
    ];
    const body = new URLSearchParams([...fields, ...chosen.map((each) => ["event_types", each])] as [string, string][]);
    const type = { "content-type": "application/x-www-form-urlencoded", ...SAME_ORIGIN };
    const refused = await forms.request("POST", PAGE, type, body.toString());
    expect(refused.status).toBe(400);
    for (const each of chosen.slice(0, 2)) expect(refused.text).toContain(`value="${each}" checked`);
    body.delete("event_types", "nonsense.event");
    const made = await forms.request("POST", PAGE, type, body.toString());
    const secret = codeIn(made.text);
    const [webhook] = await at.sql`select id, event_types from webhooks where url = ${`${receiver.url}/events`}`;
    expect(webhook?.event_types).toEqual(["member.removed", "auth.*"]);
    const id = String(webhook?.id);
    await send({ step: "test-webhook", id });
    const [delivery] = await receiver.received("/events", 1);
    if (!delivery) throw new Error("no delivery arrived");
    verifyDelivery(secret, delivery);
    await until("the outcome is recorded", async () =>
      (await forms.get(`${PAGE}?webhook=${id}`)).text.includes("204 ("),
    );
    const shown = (await forms.get(`${PAGE}?webhook=${id}`)).text;
    expect(shown).toContain(`webhook-id: ${delivery.id}`);
    expect(shown).toContain("POST /events HTTP/1.1");
    expect(shown).toContain("webhook-signature: (hidden)");
    expect(shown).not.toContain(String(delivery.headers["webhook-signature"]).slice(0, 24));
    expect(shown).toContain(delivery.body.type);
    expect(shown).toContain("HTTP/1.1 204");
    const changed = { step: "change-webhook", id, url: `${receiver.url}/events2`, event_types: "*" };
    expect(redirectOf(await send(changed, `${PAGE}?part=webhooks`))).toEqual([
      `${PAGE}?part=webhooks`,
      "webhook-changed",
    ]);
    expect((await forms.get(`${PAGE}?form=change-webhook&id=${id}`)).text).toContain(`value="${receiver.url}/events2"`);
    const wrong = await send({ ...changed, url: "nonsense" });
    expect([wrong.status, wrong.text.includes('value="nonsense"')]).toEqual([400, true]);
    const asked = (await forms.get(`${PAGE}/confirm?step=delete-webhook&id=${id}`)).text;
    expect(asked).toContain(`action="${PAGE}?part=webhooks"`);
  });

  test("makes a webhook, tests the webhook, shows the deliveries and sends a delivery again", async () => {
    const { forms, send } = await formsOf(await newOwner(at));
    const made = await send({ step: "create-webhook", url: `${receiver.url}/page`, event_types: "user.updated" });
    const secret = codeIn(made.text);
    const list = (await forms.get(`${PAGE}?part=webhooks`)).text;
    const id = idIn(list);
    expect(list).toContain(`href="${PAGE}?webhook=${id}"`);
    expect(redirectOf(await send({ step: "test-webhook", id }))).toEqual([PAGE, "tested"]);
    const [delivery] = await receiver.received("/page", 1);
    if (!delivery) throw new Error("nothing came");
    verifyDelivery(secret, delivery);
    const shown = (await forms.get(`${PAGE}?webhook=${id}`)).text;
    expect(shown).toContain("webhook.tested");
    expect(shown).toContain('<section id="deliveries">');
    const again = await send({ step: "resend", id: `${id}/${delivery.id}` }, `${PAGE}?webhook=${id}`);
    expect(redirectOf(again)).toEqual([`${PAGE}?webhook=${id}`, "resent"]);
    await receiver.received("/page", 2);
    expect(shown).toContain("after 5, 10, 20, and 40 seconds");
    await until("the sender has recorded the outcome, which would replace the status below", async () => {
      const open = await at.sql`select 1 from webhook_deliveries where webhook_id = ${id} and status <> 'delivered'`;
      return open.length === 0;
    });
    await at.sql`update webhook_deliveries set status = 'failed' where webhook_id = ${id}`;
    for (const step of ["resend-failed", "recover-day"]) {
      expect(shown).toContain(`value="${step}"`);
      const repeated = await send({ step, id }, `${PAGE}?webhook=${id}`);
      expect(redirectOf(repeated)).toEqual([`${PAGE}?webhook=${id}`, "repeated"]);
      if (step === "resend-failed") await receiver.received("/page", 3);
    }
    const { text: asked } = await forms.get(`${PAGE}/confirm?step=rotate-secret&id=${id}`);
    expect(asked).toContain("Deliveries carry signatures of both secrets for 24 hours.");
    expect(codeIn((await send({ step: "rotate-secret", id })).text)).toStartWith("whsec_");
    expect(redirectOf(await send({ step: "switch-off", id }))).toEqual([PAGE, "off"]);
    expect((await send({ step: "test-webhook", id })).status).toBe(409);
    expect((await send({ step: "recover-day", id })).status).toBe(409);
    expect(redirectOf(await send({ step: "switch-on", id }))).toEqual([PAGE, "on"]);
    expect(redirectOf(await send({ step: "delete-webhook", id }))).toEqual([PAGE, "webhook-deleted"]);
  });

  test("says what is wrong beside the field, and escapes what was typed", async () => {
    const { forms, send } = await formsOf(await newOwner(at));
    const bad = await send({ step: "create-webhook", url: SCRIPT, event_types: "*" });
    expect(bad.status).toBe(400);
    expect(bad.text).toMatch(/aria-describedby="url-error"/);
    expect(bad.text).not.toContain("<script>alert");
    const asked = await forms.get(`/machines/confirm?step=delete-account&name=${encodeURIComponent(SCRIPT)}`);
    expect([asked.status, asked.text.includes("<script>alert")]).toEqual([404, false]);
    expect((await send({ step: "nothing" })).status).toBe(404);
  });

  test("is not found by a malformed id", async () => {
    const { send } = await formsOf(await steppedUpOwner(at));
    const key = { "scope:members.list": "yes", days: "30" };
    const uuid = crypto.randomUUID();
    for (const step of [
      "delete-account",
      "create-key",
      "revoke-key",
      "switch-on",
      "test-webhook",
      "resend",
      "resend-failed",
      "recover-day",
    ]) {
      for (const id of ["", "x", "x/y", uuid])
        expect([step, id, (await send({ step, id, ...key })).status]).toEqual([step, id, 404]);
    }
  });

  test("takes no more event types than the API, which every record is compared with", async () => {
    const { send } = await formsOf(await newOwner(at));
    const make = (count: number) => {
      const event_types = AUDIT_ACTIONS.slice(0, count).join(" ");
      return send({ step: "create-webhook", url: `${receiver.url}/many`, event_types });
    };
    expect((await make(50)).status).toBe(200);
    expect((await make(51)).status).toBe(400);
  });

  test("shows a member nothing, and has no effect for a member", async () => {
    const host = await newOwner(at);
    const member = await memberWith(at, host.organizationId, "member");
    await moveSessions(at.sql, member.userId, host.organizationId);
    await at.sql`delete from members where user_id = ${member.userId} and role = 'owner'`;
    await member.client.post("/v1/auth/refresh");
    const { forms, send } = await formsOf(member);
    expect((await forms.get(PAGE)).text).toContain("Only owners and admins");
    expect((await send({ step: "create-account", name: "x" })).status).toBe(403);
  });
});

describe(CONSOLE, () => {
  test("an admin makes an account, a key and a webhook of the platform; each secret is shown once", async () => {
    const admin = await steppedUpAdmin(at);
    const { forms, send } = await formsOf(admin);
    const made = await send({ step: "create-account", name: "SIEM" }, CONSOLE);
    expect(redirectOf(made)).toEqual([CONSOLE, "account"]);
    const [account] = await at.sql`select id, organization_id from service_accounts where created_by = ${admin.userId}`;
    expect(account?.organization_id).toBeNull();
    const offered = (await forms.get(`${CONSOLE}?form=create-key&id=${account?.id}`)).text;
    expect((await forms.get(`${CONSOLE}?form=create-webhook`)).text).toContain("audit.checkpoint.published");
    for (const scope of ["audit.read", "members.list", "users.write"]) expect(offered).toContain(`"scope:${scope}"`);
    for (const scope of ["scim.write", "users.credentials"]) expect(offered).not.toContain(`"scope:${scope}"`);
    const id = String(account?.id);
    const key = codeIn((await send({ step: "create-key", id, "scope:audit.read": "yes", days: "30" }, CONSOLE)).text);
    expect((await new Client(at.one.url).get("/v1/audit-logs", { bearer: key })).status).toBe(200);
    const hook = { step: "create-webhook", url: `${receiver.url}/console`, event_types: "feature_flag.updated" };
    const secret = codeIn((await send(hook, CONSOLE)).text);
    const [webhook] = await at.sql`select id from webhooks where url = ${hook.url} and organization_id is null`;
    const webhookId = String(webhook?.id);
    const tested = await send({ step: "test-webhook", id: webhookId }, CONSOLE);
    expect(redirectOf(tested)).toEqual([CONSOLE, "tested"]);
    const [delivery] = await receiver.received("/console", 1);
    if (!delivery) throw new Error("nothing came");
    verifyDelivery(secret, delivery);
    const inside = `${CONSOLE}?webhook=${webhookId}`;
    const again = await send({ step: "resend", id: `${webhookId}/${delivery.id}` }, inside);
    expect(redirectOf(again)).toEqual([inside, "resent"]);
    await receiver.received("/console", 2);
    const shown = (await forms.get(CONSOLE)).text;
    expect([shown.includes(key), shown.includes(secret), shown.includes(`${key.slice(10, 21)}…`)]).toEqual([
      false,
      false,
      true,
    ]);
    const ask = /\/admin\/machines\/confirm\?step=delete-account[^"]+/.exec(shown)?.[0].replaceAll("&amp;", "&") ?? "";
    expect(idIn((await forms.get(ask)).text)).toBe(id);
    expect((await forms.get("/admin/machines/confirm?step=constructor")).status).toBe(404);
    const deleted = [await send({ step: "delete-account", id }, CONSOLE)];
    deleted.push(await send({ step: "delete-webhook", id: webhookId }, CONSOLE));
    expect(deleted.map(({ status }) => status)).toEqual([303, 303]);
    expect((await new Client(at.one.url).get("/v1/audit-logs", { bearer: key })).status).toBe(401);
  });

  test("a platform owner is warned of users.credentials, and gives a key a reach by slug (G478)", async () => {
    const owner = await steppedUpAdmin(at, "owner");
    const { forms, send } = await formsOf(owner);
    await send({ step: "create-account", name: "Back end" }, CONSOLE);
    const [account] = await at.sql`select id from service_accounts where created_by = ${owner.userId}`;
    const id = String(account?.id);
    const offered = (await forms.get(`${CONSOLE}?form=create-key&id=${id}`)).text;
    expect(offered).toContain("This key can take over every account without a platform role.");
    const [organization] = await at.sql`select slug from organizations where id = ${owner.organizationId}`;
    const fields = { step: "create-key", id, "scope:members.list": "yes", days: "30" };
    const unknown = await send({ ...fields, organizations: "no-such-organization" }, CONSOLE);
    expect(unknown.text).toContain("One of these organizations doesn't exist");
    expect(unknown.text).toContain('value="no-such-organization"');
    const key = codeIn((await send({ ...fields, organizations: `${organization?.slug}` }, CONSOLE)).text);
    const client = new Client(at.one.url);
    expect((await client.get(`/v1/orgs/${owner.organizationId}/members`, { bearer: key })).status).toBe(200);
    expect((await client.get("/v1/admin/orgs", { bearer: key })).status).toBe(403);
  });

  test("a viewer reads every part, responses of receivers too, by API as well, and has no further right", async () => {
    const [admin, viewer] = [await steppedUpPlatformUser(at, "admin"), await formsOf(await platformUser(at, "viewer"))];
    const fields = { url: `${receiver.url}/gone-console`, event_types: ["feature_flag.updated"] };
    const { body: webhook } = await admin.client.post("/v1/admin/webhooks", fields);
    await admin.client.post(`/v1/admin/webhooks/${webhook.id}/test`);
    const inside = `${CONSOLE}?webhook=${webhook.id}`;
    await until("the answer is recorded", async () => (await viewer.forms.get(inside)).text.includes("410 ("));
    const { text } = await viewer.forms.get(inside);
    // The language of a receiver's response is unknown.
    expect(text).toContain('<span class="mono" lang>no more &lt;b>');
    expect(mainOf(text)).not.toContain('name="step"');
    for (const step of ["create-account", "create-webhook", "switch-on", "rotate-secret", "delete-webhook"]) {
      expect([step, (await viewer.send({ step, id: webhook.id, name: "x" }, CONSOLE)).status]).toEqual([step, 403]);
    }
    const api = Object.assign(new Client(at.one.url), { jar: viewer.forms.client.jar });
    const reads = ["service-accounts", "webhooks", `webhooks/${webhook.id}/deliveries`];
    for (const path of reads) expect([path, (await api.get(`/v1/admin/${path}`)).status]).toEqual([path, 200]);
    expect((await api.patch(`/v1/admin/webhooks/${webhook.id}`, { enabled: true })).status).toBe(403);
    await admin.client.delete(`/v1/admin/webhooks/${webhook.id}`);
  });

  test("asks for the second factor where a key needs it: to be shown again, or set up first", async () => {
    const [without, led] = [await platformUser(at, "admin"), await steppedUpAdmin(at)];
    await ageFactor(at.sql, led.userId, 60);
    await led.client.post("/v1/auth/refresh");
    for (const person of [without, led]) {
      const { send } = await formsOf(person);
      await send({ step: "create-account", name: "SIEM" }, CONSOLE);
      const [account] = await at.sql`select id from service_accounts where created_by = ${person.userId}`;
      const id = String(account?.id);
      const asked = await send({ step: "create-key", id, "scope:audit.read": "yes", days: "30" }, CONSOLE);
      expect(redirectOf(asked)[0]).toBe(STEP_UP_ASKED);
    }
  });
});

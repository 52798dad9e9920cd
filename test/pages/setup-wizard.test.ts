/** The wizard of a set-up link: one step a page, change of the provider, passing on (G642 to G644). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { guideActions, guideScreens } from "../../src/pages/single-sign-on/guide-screens.ts";
import { TEXTS } from "../../src/pages/texts/catalogue.ts";
import { PRESET_KEYS } from "../../src/vocabulary/sso/preset.ts";
import { registered } from "../support/client.ts";
import { CONFIG_KEY } from "../support/console.ts";
import { FormClient, mainOf, type PageSite, SAME_ORIGIN, startSite } from "../support/pages.ts";
import { presentFactor } from "../support/states.ts";

let site: PageSite;
beforeAll(async () => {
  site = await startSite({ SERVICE_CONFIG_KEY: CONFIG_KEY });
});
afterAll(async () => {
  await site.sql.end();
});

const escapedHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

describe("the wizard of a set-up link", () => {
  const { ssoConnections: t, ssoSetup: s, ssoTests } = TEXTS.en;

  /** A begun link of a new organization, in a browser without scripts. */
  async function begun() {
    const host = await registered(site.origin);
    await presentFactor(site.sql, host.userId);
    const intents = ["domains", "connection"];
    const created = await host.client.post(`/v1/orgs/${host.organizationId}/sso/setup-links`, { intents });
    expect(created.status).toBe(201);
    const url = String(created.body.url);
    return { host, url, guest: await begin(url) };
  }

  async function begin(url: string): Promise<FormClient> {
    const guest = new FormClient(site.origin);
    await guest.get(`/setup${new URL(url).search}`);
    const field = /name="link" value="([^"]+)"/.exec((await guest.get("/setup")).text)?.[1] ?? "";
    await guest.post("/setup", { step: "begin", link: field });
    return guest;
  }

  /** Chooses a provider in place of the draft so far. */
  async function choose(guest: FormClient, preset: string, protocol = "recommended") {
    const page = (await guest.get("/setup/connection?step=provider")).text;
    const replaces = /name="replaces" value="([^"]+)"/.exec(page)?.[1];
    return await guest.post("/setup/connection", { preset, protocol, ...(replaces && { replaces }) });
  }

  const stepOf = (page: string) => /<progress value="(\d+)" max="(\d+)"/.exec(page)?.slice(1, 3).map(Number);

  test("has one page for each page of every provider's console, and a value to copy for every field", async () => {
    const { guest } = await begun();
    for (const preset of PRESET_KEYS) {
      for (const protocol of ["saml", "oidc"] as const) {
        await choose(guest, preset, protocol);
        const screens = guideScreens(guideActions({ preset, protocol }));
        for (const [index, { actions }] of screens.entries()) {
          const page = mainOf((await guest.get(`/setup/connection?step=console-${index + 1}`)).text);
          expect([preset, protocol, stepOf(page)]).toEqual([preset, protocol, [index + 2, screens.length + 5]]);
          expect(page.split('<svg class="drawing"').length).toBe(2);
          for (const action of actions) {
            const typed = action.kind === "type" ? [action.value] : [];
            const rows = action.kind === "pairs" ? action.pairs.flat() : [];
            for (const value of [...typed, ...rows]) expect(page).toContain(`>${escapedHtml(value)}</code>`);
          }
        }
      }
    }
  });

  test("goes on at the first open step, and displays any step by its address", async () => {
    const { guest } = await begun();
    await choose(guest, "okta", "oidc");
    const title = async (query = "") => /<h1>([^<]+)/.exec((await guest.get(`/setup/connection${query}`)).text)?.[1];
    expect((await title())?.trim()).toBe("Create App Integration");
    const page = (await guest.get("/setup/connection?step=values")).text;
    const version = /name="version" value="([^"]*)"/.exec(page)?.[1] ?? "";
    const values = { name: "Okta", issuer: "https://acme.okta.com", client_id: "service", token_auth: "client_secret" };
    const secret = "a secret of sixteen characters and more";
    const saved = await guest.post("/setup/connection", {
      step: "save-values",
      ...values,
      version,
      client_secret: secret,
    });
    expect(saved.status).toBe(303);
    expect((await title())?.trim()).toBe(t.domains);
    expect((await title("?step=test"))?.trim()).toBe(ssoTests.title);
    expect((await title("?step=unknown"))?.trim()).toBe("Create App Integration");
  });

  test("changes the provider of a draft: the former draft is deleted, and an active connection stays", async () => {
    const { host, guest } = await begun();
    const ids = async () =>
      await site.sql`select id, preset, protocol from sso_connections where organization_id = ${host.organizationId}`;
    await choose(guest, "okta");
    const [first] = await ids();
    await choose(guest, "auth0");
    const [second, ...others] = await ids();
    expect([second?.preset, second?.protocol, others.length, second?.id === first?.id]).toEqual([
      "auth0",
      "oidc",
      0,
      false,
    ]);
    const actions = await site.sql`
      select action from audit_logs where organization_id = ${host.organizationId} and actor_type = 'setup_link'
        and action like 'sso.connection.%' order by id`;
    expect(actions.map(({ action }) => action)).toEqual([
      "sso.connection.created",
      "sso.connection.deleted",
      "sso.connection.created",
    ]);
    await site.sql`update sso_connections set status = 'inactive' where id = ${second?.id}`;
    const refused = await choose(guest, "okta", "saml");
    expect([refused.status, refused.text.includes(s.wizard.inUse)]).toEqual([409, true]);
    expect((await ids()).map(({ id }) => id)).toEqual([second?.id]);
  });

  test("passes the link on with the work so far; the browser and the link before have no access", async () => {
    const { host, url, guest } = await begun();
    await choose(guest, "okta");
    const cookie = guest.client.jar.getCookieStringSync("https://auth.example.test/setup");
    const passed = await guest.post("/setup", { step: "pass-on" });
    const next = /<code id="setup-link">([^<]+)<\/code>/.exec(passed.text)?.[1] ?? "";
    expect([next.startsWith(`${site.origin}/setup?token=`), next === url]).toEqual([true, false]);
    expect((await guest.get("/setup/connection")).status).toBe(401);
    const thief = new FormClient(site.origin);
    expect((await thief.get("/setup/connection", { cookie })).status).toBe(401);
    expect((await thief.post("/setup", { step: "pass-on" }, { ...SAME_ORIGIN, cookie })).status).toBe(401);
    const former = new FormClient(site.origin);
    await former.get(`/setup${new URL(url).search}`);
    expect((await former.get("/setup")).status).toBe(401);
    const colleague = await begin(next);
    expect((await colleague.get("/setup/connection")).text).toContain("Create App Integration");
    expect((await begin(next)).client).toBeDefined();
    expect((await colleague.get("/setup/connection")).status).toBe(200);
    const [record] = await site.sql`
      select count(*)::int as count from audit_logs
      where organization_id = ${host.organizationId} and action = 'sso.setup_link.passed_on'`;
    expect(record?.count).toBe(1);
  });
});

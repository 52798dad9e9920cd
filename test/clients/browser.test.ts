/** The bundled client in Chromium, on a page of the service's own origin. */
import { beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import type { DpopKeys } from "../../clients/js/src/dpop/keys.ts";
import type { Dpop } from "../../clients/js/src/dpop.ts";
import type { PasskeyClient } from "../../clients/js/src/passkeys.ts";
import type { SessionChange } from "../../clients/js/src/session.ts";
import { addAuthenticator, browser } from "../support/browser.ts";
import { newEmail, PASSWORD } from "../support/client.ts";
import { CALLBACK, registerClient } from "../support/oauth.ts";
import { type PageSite, startSite } from "../support/pages.ts";
import { steppedUpAdmin } from "../support/platform.ts";

/** A new machine installs Chromium first. */
const INSTALL_DEADLINE_MS = 300_000;
const CORE_MAX_BYTES = 6 * 1024;
const DPOP_MAX_BYTES = 2 * 1024;
const PUBLIC = { token_endpoint_auth_method: "none", require_pkce: true };

/** A global that the page's script creates. */
declare const client: PasskeyClient;
declare const dpop: Dpop;
declare const indexedDbKeys: (name: string) => DpopKeys;
declare const changes: SessionChange["type"][];

const PAGE_SCRIPT = `
  import { createClient } from "./passkeys.ts";
  import { createDpop, indexedDbKeys } from "./dpop.ts";
  globalThis.dpop = createDpop();
  globalThis.indexedDbKeys = indexedDbKeys;
  globalThis.changes = [];
  const onSessionChange = ({ type }) => changes.push(type);
  globalThis.client = createClient({ baseUrl: "/", onSessionChange });
`;
const SOURCES = `${import.meta.dir}/../../clients/js/src`;

async function bundle(entry: string): Promise<string> {
  const files = { [`${SOURCES}/page-of-a-test.ts`]: entry };
  const built = await Bun.build({ entrypoints: Object.keys(files), files, minify: true, target: "browser" });
  return await (built.outputs[0] as Blob).text();
}

let site: PageSite;
let script: string;
beforeAll(async () => {
  [site, script] = await Promise.all([startSite(), bundle(PAGE_SCRIPT)]);
}, INSTALL_DEADLINE_MS);

/** Opens two tabs of a browser with the client. */
async function tabs(): Promise<[Page, Page, () => Promise<void>]> {
  const context = await (await browser()).newContext();
  await context.route("**/app", (route) => {
    return route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><input autocomplete="username webauthn"><script type="module" src="/app.js"></script>`,
    });
  });
  await context.route("**/app.js", (route) => route.fulfill({ contentType: "text/javascript", body: script }));
  const open = async () => {
    const page = await context.newPage();
    await page.goto(`${site.origin}/app`);
    await page.waitForFunction(() => "client" in globalThis);
    return page;
  };
  return [await open(), await open(), () => context.close()];
}

async function register(page: Page): Promise<string> {
  const email = newEmail();
  const registered = await page.evaluate(
    async ([email, password]) => await client.register({ organization_name: "Acme", email, password }),
    [email, PASSWORD] as const,
  );
  expect(registered).toMatchObject({ ok: true });
  return email;
}

/** Simulates the state after fifteen minutes: the two cookies with the lifetime of the access token have expired. */
async function expireAccessToken(page: Page): Promise<void> {
  const context = page.context();
  await context.clearCookies({ name: "service_at" });
  await context.clearCookies({ name: "service_csrf" });
}

/**
 * Starts two ceremonies that wait in the autofill, where no passkey can be chosen yet; each ceremony resolves to the
 * code of an error. The second ceremony replaces the first, and a signal aborts the second ceremony, in each case after
 * the browser waits.
 */
const WAITS_IN_AUTOFILL = `(async () => {
  const get = navigator.credentials.get.bind(navigator.credentials);
  const control = new AbortController();
  const ceremony = async () => {
    const waits = Promise.withResolvers();
    navigator.credentials.get = (options) => (waits.resolve(), get(options));
    const ended = client.passkeys.signIn({ autofill: true }, { signal: control.signal });
    await waits.promise;
    return { code: ended.then(({ error }) => error.code) };
  };
  const first = await ceremony();
  const second = await ceremony();
  const replaced = await first.code;
  control.abort();
  return [replaced, await second.code];
})()`;

const changesOf = (page: Page) => page.evaluate(() => changes);

describe("in a browser", () => {
  test("the core, minified and compressed, has at most 6 kB", async () => {
    const core = await bundle('export { createClient } from "./index.ts";');
    expect(gzipSync(core, { level: 9 }).length).toBeLessThanOrEqual(CORE_MAX_BYTES);
    const dpopPart = await bundle('export * from "./dpop.ts";');
    expect(gzipSync(dpopPart, { level: 9 }).length).toBeLessThanOrEqual(DPOP_MAX_BYTES);
  });

  test("All tabs use one key for bound tokens, which no script can read and a reload keeps (G233).", async () => {
    const [one, other, close] = await tabs();
    const thumbprint = (page: Page) => page.evaluate(() => dpop.thumbprint());
    const [first, second] = await Promise.all([thumbprint(one), thumbprint(other)]);
    expect(first).toBe(second);
    await one.reload();
    expect(await thumbprint(one)).toBe(first);
    const exported = await one.evaluate(async () => {
      const { privateKey } = await indexedDbKeys("identity-service-client dpop").load();
      const attempts = ["jwk", "pkcs8"] as const;
      const outcomes = attempts.map((format) =>
        crypto.subtle.exportKey(format, privateKey).then(
          () => "read",
          (error: Error) => error.name,
        ),
      );
      return [privateKey.extractable, ...(await Promise.all(outcomes))];
    });
    expect(exported).toEqual([false, "InvalidAccessError", "InvalidAccessError"]);
    // The service accepts the proof and refuses the code.
    const { id: client_id } = await registerClient(PUBLIC, (await steppedUpAdmin(site, "owner")).client);
    const parameters = { grant_type: "authorization_code", client_id, code: "unknown", redirect_uri: CALLBACK };
    const refused = await one.evaluate(async (form) => {
      const response = await dpop.fetch("/oauth2/token", { method: "POST", body: new URLSearchParams(form) });
      return [response.headers.has("dpop-nonce"), (await response.json()).error];
    }, parameters);
    expect(refused).toEqual([true, "invalid_grant"]);
    await other.evaluate(() => dpop.deleteKey());
    expect(await thumbprint(one)).not.toBe(first);
    await close();
  });

  test("A refused token request of a page opens no dialog for a password: the fetch ends at once.", async () => {
    const [page, , close] = await tabs();
    const refused = await page.evaluate(async () => {
      const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x", client_id: "unknown" });
      const response = await fetch("/oauth2/token", { method: "POST", body });
      return [response.status, (await response.json()).error];
    });
    expect(refused).toEqual([401, "invalid_client"]);
    await close();
  });

  test("the CSRF header goes along by itself; a sign-in and a sign-out in one tab are told to the other", async () => {
    const [one, other, close] = await tabs();
    await register(one);
    const renamed = await one.evaluate(async () => await client.me.update({ display_name: "Ada" }));
    expect(renamed).toMatchObject({ ok: true, data: { display_name: "Ada" } });
    await expireAccessToken(other);
    const userOf = (page: Page) =>
      page.evaluate(async () => {
        const [token, me] = [await client.accessToken(), await client.me.get()];
        const claims =
          token.ok && JSON.parse(atob((token.data.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/")));
        return [claims.sub, me.ok && me.data.user_id];
      });
    const [first, same] = await userOf(other);
    expect(first).toBe(same);
    // After a sign-in of a different user in the first tab, the cached session of this tab does not belong to the
    // cookies.
    await register(one);
    await other.waitForFunction(() => changes.at(-1) === "signed_in");
    const [now, asked] = await userOf(other);
    expect([now === asked, now === first]).toEqual([true, false]);
    expect(await one.evaluate(async () => (await client.signOut()).ok)).toBe(true);
    await other.waitForFunction(() => changes.includes("signed_out"));
    expect(await changesOf(one)).toEqual(["signed_in", "signed_in", "signed_out"]);
    expect(await other.evaluate(async () => await client.me.get())).toMatchObject({
      error: { code: "authentication_required" },
    });
    await close();
  });

  test("two tabs with an expired token, ten requests each at once: one rotation, no sign-out (G45)", async () => {
    const [one, other, close] = await tabs();
    await register(one);
    for (let round = 0; round < 2; round += 1) {
      await expireAccessToken(one);
      const refreshes: string[] = [];
      const note = (request: { url(): string }) => {
        if (request.url().endsWith("/v1/auth/refresh")) refreshes.push(request.url());
      };
      one.context().on("request", note);
      const ask = async (page: Page) =>
        await page.evaluate(async () => {
          const reads = Array.from({ length: 5 }, () => client.me.get());
          const writes = Array.from({ length: 5 }, () => client.me.update({ display_name: "Ada" }));
          return (await Promise.all([...reads, ...writes])).map(({ ok }) => ok);
        });
      const responses = (await Promise.all([ask(one), ask(other)])).flat();
      one.context().off("request", note);
      expect(responses).toEqual(responses.map(() => true));
      expect(refreshes).toHaveLength(1);
    }
    expect([...(await changesOf(one)), ...(await changesOf(other))]).not.toContain("signed_out");
    await close();
  });

  test("passkeys: one is added and signs in; what replaces, aborts or refuses a ceremony is an error", async () => {
    const [one, , close] = await tabs();
    // WebAuthn requires a focused window.
    await one.bringToFront();
    await addAuthenticator(one);
    expect(await one.evaluate(WAITS_IN_AUTOFILL)).toEqual(["cancelled", "aborted"]);
    const email = await register(one);
    const added = await one.evaluate(async () => await client.passkeys.register({ name: "laptop" }));
    expect(added).toMatchObject({ ok: true, data: { name: "laptop" } });
    const addAnother = () => one.evaluate(async () => await client.passkeys.register());
    expect(await addAnother()).toMatchObject({ ok: false, error: { code: "mfa_required" } });
    const steppedUp = await one.evaluate(async () => await client.passkeys.stepUp());
    expect(steppedUp).toMatchObject({ ok: true, data: { mfa_verified_at: expect.any(String) } });
    expect(await addAnother()).toMatchObject({ ok: false, error: { code: "already_registered" } });
    await one.evaluate(async () => await client.signOut());
    const signedIn = await one.evaluate(async () => await client.passkeys.signIn());
    expect(signedIn).toMatchObject({ ok: true, data: { status: "success", user: { email } } });
    await close();
  });
});

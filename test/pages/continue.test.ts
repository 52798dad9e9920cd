/** A session with an expired access token (G88): the requests that continue the session, over HTTP and in Chromium. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { newEmail, PASSWORD } from "../support/client.ts";
import { FormClient, type PageSite, Readers, SAME_ORIGIN, startSite } from "../support/pages.ts";
import { attempts } from "../support/waiting.ts";

const CONTINUE = "/v1/auth/continue?to=%2Fteam";
const REFRESH_NOW = /^0; url=(.+)$/;
/** A new machine installs Chromium first. */
const INSTALL_DEADLINE_MS = 300_000;

let site: PageSite;
/** A foreign site: Chromium treats `127.0.0.1` and `localhost` as two sites. */
let evil: ReturnType<typeof Bun.serve>;
const readers = new Readers(() => site);

beforeAll(async () => {
  site = await startSite({ SERVICE_RATE_LIMITS: "on", SERVICE_RATE_LIMIT_CALLER: "10/600" });
  evil = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const to = new URL(request.url).searchParams.get("to") ?? "";
      if (new URL(request.url).pathname === "/redirect") return Response.redirect(to, 302);
      const page = `<!doctype html><title>Elsewhere</title><a href="${to}">Go on</a>`;
      return new Response(page, { headers: { "content-type": "text/html" } });
    },
  });
  await readers.open();
}, INSTALL_DEADLINE_MS);
afterAll(async () => {
  await readers.close();
  await Promise.all([site.one.stop(), evil.stop(true)]);
});

async function signedInUser() {
  const forms = new FormClient(site.origin);
  const email = newEmail();
  const registered = await forms.post("/register", { email, organization_name: "Engines", password: PASSWORD });
  expect(registered.status).toBe(303);
  const [session] = await site.sql`
    select s.id, s.user_id, s.refresh_jti, s.revoked_at from sessions s join users u on u.id = s.user_id
    where u.email = ${email}`;
  return { forms, email, session };
}

/** Creates a user with an expired access token. */
async function expiredUser() {
  const user = await signedInUser();
  user.forms.client.setCookie("service_at", "");
  return user;
}

const sessionOf = async ({ session }: Awaited<ReturnType<typeof signedInUser>>) =>
  (await site.sql`select id, user_id, refresh_jti, revoked_at from sessions where id = ${session?.id}`)[0];

/** Returns the cookies that a browser sends with a top-level navigation. */
const navigation = (fetchSite: string | undefined): Record<string, string> =>
  fetchSite === undefined ? {} : { "sec-fetch-site": fetchSite, "sec-fetch-dest": "document" };

test("A form, or a page, of an ended session leads to a sign-in that says so and leads back.", async () => {
  for (const method of ["GET", "POST"] as const) {
    const { forms, session } = await expiredUser();
    await site.sql`update sessions set revoked_at = now() where id = ${session?.id}`;
    const to = "/v1/auth/continue?to=%2Fteam";
    const ended = method === "GET" ? await forms.get(to, navigation("same-origin")) : await forms.post(to, {});
    const location = ended.headers.get("location") ?? "";
    expect([method, ended.status, location.split("&")[0]]).toEqual([method, 303, "/sign-in?return_to=%2Fteam"]);
    expect((await forms.get(location)).text).toContain("Your session has ended. Sign in to continue.");
  }
});

describe("a request with a possible origin at a foreign site", () => {
  test.each([
    ["cross-site", "cross-site"],
    ["same-site", "same-site"],
    ["an unknown value", "Same-Origin"],
    ["two values", "cross-site, same-origin"],
    ["no Sec-Fetch-Site", undefined],
  ])("with %s rotates nothing, keeps the cookies, and uses up no limit", async (_, fetchSite) => {
    const user = await expiredUser();
    for (let time = 0; time < 12; time += 1) {
      const response = await user.forms.get(CONTINUE, navigation(fetchSite));
      expect([response.status, response.setCookies, response.headers.get("ratelimit")]).toEqual([200, [], null]);
      expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    }
    expect(await sessionOf(user)).toEqual(user.session);
    const own = await user.forms.get(CONTINUE, navigation("same-origin"));
    expect([own.status, own.headers.get("location")]).toEqual([303, "/team"]);
  });

  const nextOf = (response: { readonly headers: Headers }) =>
    REFRESH_NOW.exec(response.headers.get("refresh") ?? "")?.[1];

  test("goes on by a request of this origin, and by itself only once", async () => {
    const user = await expiredUser();
    const next = nextOf(await user.forms.get(CONTINUE, navigation("cross-site"))) ?? "";
    expect(next).toStartWith("/v1/auth/continue?to=%2Fteam&proof=");
    const again = await user.forms.get(next, navigation("cross-site"));
    expect([again.status, nextOf(again), again.text.includes("/v1/auth/continue?")]).toEqual([200, undefined, true]);
    expect(await sessionOf(user)).toEqual(user.session);
    const own = await user.forms.get(next, navigation("same-origin"));
    expect(own.headers.get("location")).toBe("/team");
    expect((await user.forms.get("/team")).status).toBe(200);
  });

  test("without Sec-Fetch-Site goes on with the proof that this browser got, and with no other", async () => {
    const [user, attacker] = [await expiredUser(), await expiredUser()];
    const foreign = nextOf(await attacker.forms.get(CONTINUE)) ?? "";
    const csrf = user.forms.client.cookie("service_csrf");
    for (const address of [foreign, `${CONTINUE}&proof=x`, `${CONTINUE}&proof=`, `${CONTINUE}&proof=${csrf}`]) {
      const response = await user.forms.get(address);
      expect([response.status, response.setCookies, nextOf(response)]).toEqual([200, [], undefined]);
    }
    expect(await sessionOf(user)).toEqual(user.session);
    const own = await user.forms.get(nextOf(await user.forms.get(CONTINUE)) ?? "");
    expect([own.status, own.headers.get("location")]).toEqual([303, "/team"]);
    expect((await user.forms.get("/team")).status).toBe(200);
  });

  test("without a refresh cookie leads on at once, as a signed-out browser does", async () => {
    const forms = new FormClient(site.origin);
    forms.client.setCookie("service_at", "expired");
    for (const fetchSite of ["cross-site", "same-origin", undefined]) {
      const response = await forms.get(CONTINUE, navigation(fetchSite));
      expect([response.headers.get("location"), response.setCookies]).toEqual(["/sign-in?return_to=%2Fteam", []]);
      const optional = await forms.get(`${CONTINUE}&optional=1`, navigation(fetchSite));
      expect([optional.headers.get("location"), optional.setCookies]).toEqual(["/team?signed_out=1", []]);
    }
  });

  test("in a frame gets no page: an application that asks there learns that nobody is signed in", async () => {
    const user = await expiredUser();
    const framed = { "sec-fetch-site": "same-site", "sec-fetch-dest": "iframe" };
    const response = await user.forms.get(`${CONTINUE}&optional=1`, framed);
    expect([response.headers.get("location"), response.setCookies]).toEqual(["/team?signed_out=1", []]);
    expect(await sessionOf(user)).toEqual(user.session);
  });
});

test("a request with a valid caller refreshes nothing, whoever began it", async () => {
  const user = await signedInUser();
  for (const fetchSite of ["same-origin", "none", "cross-site", undefined]) {
    const response = await user.forms.get(CONTINUE, navigation(fetchSite));
    expect([response.status, response.headers.get("location"), response.setCookies]).toEqual([303, "/team", []]);
  }
  const posted = await user.forms.post(CONTINUE, { typed: "text" }, SAME_ORIGIN);
  expect([posted.status, posted.headers.get("location"), posted.setCookies]).toEqual([307, "/team", []]);
  expect(await sessionOf(user)).toEqual(user.session);
});

test("a token that is refused clears the cookies for a request of this origin only", async () => {
  const user = await expiredUser();
  await site.sql`update sessions set revoked_at = now() where id = ${user.session?.id}`;
  expect((await user.forms.get(CONTINUE, navigation("cross-site"))).setCookies).toEqual([]);
  const own = await user.forms.get(CONTINUE, navigation("none"));
  expect(own.setCookies.filter((cookie) => cookie.includes("Max-Age=0"))).toHaveLength(3);
});

const elsewhere = (path: string, to: string) => `${evil.url.origin}${path}?to=${encodeURIComponent(to)}`;

describe("in Chromium", () => {
  test.each([
    ["with scripts", {}],
    ["without scripts", { javaScriptEnabled: false }],
  ])("a link of another site leads to the page of a user whose access token expired, %s", async (_, options) => {
    const { forms } = await expiredUser();
    const reader = await readers.open(options);
    await reader.become(forms);
    await reader.page.goto(elsewhere("/", `${site.origin}/account`));
    await reader.page.click("a");
    await reader.page.waitForURL(`${site.origin}/account`);
    expect(await reader.page.locator("h1").innerText()).toBe("Account");
    await reader.context.clearCookies({ name: "service_at" });
    // A redirect chain that a foreign site started and that ends at a public page.
    await reader.page.goto(elsewhere("/", elsewhere("/redirect", `${site.origin}/sign-out`)));
    await reader.page.click("a");
    await reader.page.waitForURL(`${site.origin}/sign-out`);
    expect(await reader.page.locator("h1").innerText()).toBe("Sign out");
  });

  test("the address bar and a bookmark continue without a page in between", async () => {
    const { forms } = await expiredUser();
    const reader = await readers.open();
    await reader.become(forms);
    const statuses: number[] = [];
    reader.page.on("response", (response) => {
      if (response.url().includes("/auth/continue")) statuses.push(response.status());
    });
    await reader.open("/account");
    expect([reader.path, statuses]).toEqual(["/account", [303]]);
  });

  test("another site that opens and aborts navigations ends no session and records no theft", async () => {
    await attempts(abortNavigations, { again: isCrash });
  });
});

/** The renderer of Debian's Chromium crashes now and then when a script opens a window. */
const isCrash = (error: unknown) => /Target crashed|has been closed/.test(String(error));

/** Waits until a window is closed by its opener, or, severed from the opener, has reached its page. */
async function closedOrArrived(page: Page): Promise<void> {
  if (page.isClosed()) return;
  await Promise.race([page.waitForEvent("close"), page.waitForURL(`${site.origin}/team`)]);
}

async function abortNavigations(): Promise<void> {
  const user = await expiredUser();
  const reader = await readers.open();
  await reader.become(user.forms);
  await reader.page.goto(elsewhere("/", site.origin));
  const attack = (script: string) => reader.page.evaluate(script);
  for (let time = 0; time < 5; time += 1) {
    const sent = reader.context.waitForEvent("request", (request) => request.url().includes("/auth/continue"));
    const opening = attack(
      `globalThis.opened = open(${JSON.stringify(site.origin + CONTINUE)}, "w${time}"), undefined`,
    );
    await Promise.all([opening, sent]);
    await attack("opened.location = 'about:blank', opened.close()");
    // A request in flight must not meet a session whose clock moves: such a request would carry a token of before.
    await Promise.all(
      reader.context
        .pages()
        .filter((page) => page !== reader.page)
        .map(closedOrArrived),
    );
    // After this time a repeated token no longer counts as the token of a second tab.
    await site.sql`update sessions set rotated_at = rotated_at - interval '1 minute' where id = ${user.session?.id}`;
  }
  await reader.open("/account");
  expect(reader.path).toBe("/account");
  const thefts = await site.sql`
    select from audit_logs where action = 'auth.refresh.reuse_detected' and actor_id = ${user.session?.user_id}`;
  expect(thefts).toHaveLength(0);
}

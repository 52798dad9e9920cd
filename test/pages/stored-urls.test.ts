/**
 * URLs that somebody else gave, on pages: no stored URL adds, ends or changes a directive of a policy (G341). The rows
 * are written by SQL, as version 1.0.0 stored them: the endpoints refuse such URLs.
 */
import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Deployment, deployment } from "../support/deployment.ts";
import {
  authorizePath,
  Browser,
  makePkce,
  personWithBrowser,
  registerClient,
  type TestClient,
  tokensFor,
} from "../support/oauth.ts";

const SOURCES: Readonly<Record<string, RegExp>> = {
  "default-src": /^'none'$/,
  "script-src": /^'self'$/,
  "style-src": /^'self'(?: 'sha256-[A-Za-z0-9+/]{43}=')?$/,
  "img-src": /^'self'(?: https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?)* data:$/,
  "connect-src": /^'self'$/,
  "form-action": /^'self'$/,
  "base-uri": /^'none'$/,
  "frame-ancestors": /^'none'$/,
};

const SEEDS = [
  "https://x;frame-ancestors/logo.png",
  "https://x;script-src'unsafe-inline'/",
  "https://x$'/",
  "https://x$&$`/",
  "https://a,default-src*/",
  "https://*/",
  "https://x;img-src*;frame-ancestors*/a.png",
  "https://accounts.google.com@evil.test/",
  "not a url",
  "",
  "//evil.test/x",
  "https://\u202Ea.test/",
];
const hostile = fc.oneof(
  fc.constantFrom(...SEEDS),
  fc
    .string({ unit: fc.constantFrom(..."ab.-;'$&*, @:[]%/\\\"<>üß\t"), maxLength: 24 })
    .map((host) => `https://${host}/x`),
);

let at: Deployment;
let person: Awaited<ReturnType<typeof personWithBrowser>>;
let clients: readonly { readonly url: string; readonly client: TestClient }[];
beforeAll(async () => {
  at = await deployment();
  person = await personWithBrowser();
  const urls = [...SEEDS, ...fc.sample(hostile, 12)];
  clients = await Promise.all(
    urls.map(async (url) => ({ url, client: await registerClient({ name: "Acme Wiki", first_party: true }) })),
  );
  for (const { client } of clients) await tokensFor(client, person.browser);
  for (const { url, client } of clients) await storeInClient(client, url);
  // A registration announces a change, and every replica reads all rows again.
  await registerClient();
}, 120_000);

async function storeInClient({ id }: TestClient, url: string) {
  await at.sql`
    update oauth_clients set logo_url = ${url}, policy_uri = ${url}, tos_uri = ${url}, client_uri = ${url},
      backchannel_logout_uri = ${url}, first_party = false, updated_at = now()
    where id = ${id}`;
}

async function storeInBrand(url: string) {
  await at.sql`
    insert into brands (id, organization_id, terms_url, privacy_url, support_url, created_at, updated_at)
    values (${crypto.randomUUID()}, ${person.organizationId}, ${url}, ${url}, ${url}, now(), now())
    on conflict (organization_id) do update set terms_url = ${url}, privacy_url = ${url}, support_url = ${url}`;
}

/** Every directive once, with sources of the closed set; the frame of the page stays closed. */
function expectPlain({ headers, status }: { readonly headers: Headers; readonly status: number }) {
  expect(status).toBeLessThan(500);
  const policy = headers.get("content-security-policy") ?? "";
  const directives = policy.split(";").map((directive) => directive.trim().split(" "));
  expect(directives.map(([name]) => name)).toEqual(Object.keys(SOURCES));
  for (const [name = "", ...sources] of directives) expect(sources.join(" ")).toMatch(SOURCES[name] ?? /^$/);
  expect(headers.get("x-frame-options")).toBe("DENY");
}

test("No stored URL changes the policy of a page that displays the application (G341).", async () => {
  for (const { url, client } of clients) {
    await storeInBrand(url);
    const signIn = await new Browser(at.one.url).follow(authorizePath(client, makePkce().challenge));
    const consent = await person.browser.follow(authorizePath(client, makePkce().challenge, { prompt: "consent" }));
    for (const page of [signIn.answer, consent.answer]) expectPlain(page);
  }
  expectPlain(await person.browser.get("/account/applications"));
  expectPlain(await person.browser.get("/team/applications"));
}, 120_000);

test("The picture at the host of an application that registered itself is on no page (G343).", async () => {
  const client = await registerClient({ name: "Acme Notes", first_party: true });
  await tokensFor(client, person.browser);
  const logo = "https://stranger.example.test/logo.png";
  const asRegisteredByItself = at.sql`kind = 'dynamic', first_party = false`;
  await at.sql`update oauth_clients set logo_url = ${logo}, ${asRegisteredByItself} where id = ${client.id}`;
  const list = await person.browser.get("/account/applications");
  expect(list.text).toContain("Acme Notes");
  expect(`${list.text}${list.headers.get("content-security-policy")}`).not.toContain("stranger.example.test");
});

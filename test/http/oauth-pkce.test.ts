/** PKCE, the downgrade of PKCE, and clients registered with `require_pkce: false` (docs/contract.md, section 23.4). */
import { beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { decodeJwt } from "jose";
import type { Client } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import {
  authorizePath,
  type Browser,
  CALLBACK,
  type Code,
  codeFor,
  exchange,
  makePkce,
  oauthAdmin,
  personWithBrowser,
  registerClient,
  type TestClient,
  WITHOUT_CHALLENGE,
} from "../support/oauth.ts";

const PATH = "/v1/admin/oauth-clients";
const SETTINGS = { name: "Wiki", redirect_uris: [CALLBACK], token_endpoint_auth_method: "client_secret_basic" };
const NO_VERIFIER = { code_verifier: undefined };

let at: Deployment;
let admin: Client;
let strict: TestClient;
let flexible: TestClient;
let browser: Browser;
beforeAll(async () => {
  at = await deployment();
  admin = await oauthAdmin();
  strict = await registerClient();
  flexible = await registerClient({ require_pkce: false });
  ({ browser } = await personWithBrowser());
});

/** A code of a request without a challenge. The verifier belongs to no challenge. */
const plainCode = (client = flexible): Promise<Code> => codeFor(client, browser, WITHOUT_CHALLENGE);

describe("the setting require_nonce_or_pkce (G404)", () => {
  const RELAXED = { ...SETTINGS, require_pkce: false, require_nonce_or_pkce: false };

  test("is true by default; false needs an authenticating web client with redirect URIs of https", async () => {
    expect((await admin.post(PATH, SETTINGS)).body.require_nonce_or_pkce).toBe(true);
    expect((await admin.post(PATH, RELAXED)).body.require_nonce_or_pkce).toBe(false);
    for (const change of [
      { require_pkce: true },
      { application_type: "native" },
      { token_endpoint_auth_method: "none", require_pkce: true },
      { redirect_uris: ["http://127.0.0.1:8080/callback"] },
    ]) {
      const refused = await admin.post(PATH, { ...RELAXED, ...change });
      expect([refused.status, refused.body.error.fields?.[0]?.field]).toEqual([400, "require_nonce_or_pkce"]);
    }
  });

  test("admits a request with neither; the code is void once the setting is back", async () => {
    const relaxed = await registerClient({ require_pkce: false, require_nonce_or_pkce: false });
    const neither = { ...WITHOUT_CHALLENGE, nonce: "" };
    expect((await exchange(at.one.url, relaxed, await codeFor(relaxed, browser, neither), NO_VERIFIER)).status).toBe(
      200,
    );
    const refused = await browser.follow(authorizePath(flexible, undefined as never, neither));
    expect(refused.location?.searchParams.get("error")).toBe("invalid_request");
    const code = await codeFor(relaxed, browser, neither);
    const [row] = await at.sql`select expires_at - now() < interval '31 seconds' as short from oauth_codes
                               where client_id = ${relaxed.id}`;
    expect(row?.short).toBe(true);
    expect((await admin.patch(`${PATH}/${relaxed.id}`, { require_nonce_or_pkce: true })).status).toBe(200);
    const late = await exchange(at.other.url, relaxed, code, NO_VERIFIER);
    expect([late.status, late.body.error]).toEqual([400, "invalid_grant"]);
  });
});

describe("the setting require_pkce", () => {
  test("is true by default, and false only for a client that authenticates", async () => {
    const created = await admin.post(PATH, SETTINGS);
    expect([created.status, created.body.require_pkce]).toEqual([201, true]);
    for (const method of ["client_secret_post", "client_secret_basic"]) {
      const other = await admin.post(PATH, { ...SETTINGS, token_endpoint_auth_method: method, require_pkce: false });
      expect([other.status, other.body.require_pkce]).toEqual([201, false]);
    }
    const { total } = (await admin.get(PATH)).body;
    const open = await admin.post(PATH, { ...SETTINGS, token_endpoint_auth_method: "none", require_pkce: false });
    expect([open.status, open.body.error.code, open.body.error.fields?.[0]?.field]).toEqual([
      400,
      "invalid_input",
      "require_pkce",
    ]);
    expect((await admin.get(PATH)).body.total).toBe(total);
  });

  test("a change that leaves a public client without PKCE is refused and changes nothing", async () => {
    const open = await registerClient({ token_endpoint_auth_method: "none" });
    const loose = await registerClient({ require_pkce: false });
    const refused = [
      await admin.patch(`${PATH}/${open.id}`, { require_pkce: false }),
      await admin.patch(`${PATH}/${loose.id}`, { token_endpoint_auth_method: "none" }),
    ];
    expect(refused.map(({ status, body }) => [status, body.error.fields?.[0]?.field])).toEqual([
      [400, "require_pkce"],
      [400, "require_pkce"],
    ]);
    const changed = await admin.patch(`${PATH}/${loose.id}`, {
      token_endpoint_auth_method: "none",
      require_pkce: true,
    });
    expect(changed.body).toMatchObject({ token_endpoint_auth_method: "none", require_pkce: true });
  });
});

describe("an authorization request without a challenge", () => {
  const refusals: [string, Record<string, string | undefined>][] = [
    ["without a nonce", { ...WITHOUT_CHALLENGE, nonce: undefined }],
    ["with an empty nonce", { ...WITHOUT_CHALLENGE, nonce: "" }],
    ["without the scope openid", { ...WITHOUT_CHALLENGE, scope: "email api:read" }],
    ["with a method alone", { code_challenge: undefined }],
    ["with an empty challenge and a method", { code_challenge: "" }],
  ];
  const challenges: [string, Record<string, string | undefined>][] = [
    ["a challenge without a method", { code_challenge_method: undefined }],
    ["a challenge by the method plain", { code_challenge_method: "plain" }],
    ["a challenge that is no hash", { code_challenge: "short" }],
  ];
  test.each([...refusals, ...challenges])("%s is invalid_request at the redirect URI", async (_, more) => {
    const { location } = await browser.follow(authorizePath(flexible, makePkce().challenge, more));
    expect(location?.href.startsWith(`${CALLBACK}?`)).toBe(true);
    expect([location?.searchParams.get("error"), location?.searchParams.get("state")]).toEqual([
      "invalid_request",
      "the state",
    ]);
  });

  test("of a client with the default setting is invalid_request, and the description names PKCE", async () => {
    const { location } = await browser.follow(authorizePath(strict, "", WITHOUT_CHALLENGE));
    expect(location?.searchParams.get("error")).toBe("invalid_request");
    expect(location?.searchParams.get("error_description")).toContain("PKCE");
  });

  test("with nonce and openid gives a code that is exchanged without a verifier, once", async () => {
    const code = await plainCode();
    const { status, body } = await exchange(at.one.url, flexible, code, NO_VERIFIER);
    expect([status, decodeJwt(body.id_token).nonce]).toEqual([200, "the nonce"]);
    expect((await exchange(at.other.url, flexible, code, NO_VERIFIER)).body.error).toBe("invalid_grant");
  });
});

describe("downgrade (G106; RFC 9700, section 4.8.2)", () => {
  test("a code with a challenge needs the verifier, also at a client that may leave the challenge out", async () => {
    for (const client of [strict, flexible]) {
      const code = await codeFor(client, browser);
      expect((await exchange(at.one.url, client, code, NO_VERIFIER)).body.error).toBe("invalid_grant");
      // The request of the client consumed the code, as a wrong verifier does.
      expect((await exchange(at.one.url, client, code)).body.error).toBe("invalid_grant");
    }
    const code = await codeFor(flexible, browser);
    expect((await exchange(at.one.url, flexible, code)).status).toBe(200);
  });

  test("a stripped challenge: a verifier for a code without a challenge is refused and consumes the code", async () => {
    const code = await plainCode();
    expect((await exchange(at.one.url, flexible, code)).body.error).toBe("invalid_grant");
    expect((await exchange(at.one.url, flexible, code, NO_VERIFIER)).body.error).toBe("invalid_grant");
  });

  test("a code with the challenge of a different client or request gives no tokens", async () => {
    const other = await registerClient({ require_pkce: false });
    const [own, foreign] = [await codeFor(flexible, browser), await codeFor(other, browser)];
    for (const injected of [foreign, { ...own, pkce: foreign.pkce }]) {
      expect((await exchange(at.one.url, flexible, injected)).body.error).toBe("invalid_grant");
    }
    expect((await exchange(at.one.url, flexible, { ...foreign, pkce: own.pkce }, NO_VERIFIER)).body.error).toBe(
      "invalid_grant",
    );
    expect((await exchange(at.one.url, other, foreign)).status).toBe(200);
  });

  test("the response is constant: missing, wrong and unexpected verifiers, and unknown codes", async () => {
    const unknown = { code: randomBytes(32).toString("base64url"), pkce: makePkce() };
    const responses = [
      await exchange(at.one.url, flexible, await codeFor(flexible, browser), NO_VERIFIER),
      await exchange(at.one.url, flexible, { ...(await codeFor(flexible, browser)), pkce: makePkce() }),
      await exchange(at.one.url, flexible, await plainCode()),
      await exchange(at.one.url, flexible, unknown),
      await exchange(at.one.url, flexible, unknown, NO_VERIFIER),
      await exchange(at.one.url, strict, await codeFor(strict, browser), NO_VERIFIER),
    ];
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(400));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  });

  const malformed: [string, string][] = [
    ["of 42 characters", "a".repeat(42)],
    ["of 129 characters", "a".repeat(129)],
    ["with a space", `${"a".repeat(50)} a`],
    ["with a slash", `${"a".repeat(50)}/a`],
    ["with NUL", `${"a".repeat(50)}\0`],
  ];
  test.each(malformed)("a verifier %s is invalid_grant with a description, for every code", async (_, verifier) => {
    const unknown = { code: randomBytes(32).toString("base64url"), pkce: makePkce() };
    const code = await codeFor(strict, browser);
    const plain = await plainCode();
    for (const [client, each] of [
      [strict, code],
      [flexible, plain],
      [strict, unknown],
    ] as const) {
      const { body } = await exchange(at.one.url, client, each, { code_verifier: verifier });
      expect([body.error, body.error_description]).toEqual([
        "invalid_grant",
        expect.stringContaining("code_verifier must have 43 to 128 characters"),
      ]);
    }
    expect((await exchange(at.one.url, strict, code)).body.error).toBe("invalid_grant");
    expect((await exchange(at.one.url, flexible, plain, NO_VERIFIER)).body.error).toBe("invalid_grant");
  });

  test("a setting changed back applies to waiting requests and to issued codes", async () => {
    const client = await registerClient({ require_pkce: false, first_party: false });
    const asked = await browser.follow(authorizePath(client, "", WITHOUT_CHALLENGE));
    expect(asked.path).toStartWith("/oauth2/consent?request=");
    const protectedRequest = await browser.follow(authorizePath(client, makePkce().challenge));
    const trusted = await registerClient({ require_pkce: false });
    const code = await plainCode(trusted);
    for (const { id } of [client, trusted]) {
      expect((await admin.patch(`${PATH}/${id}`, { require_pkce: true })).status).toBe(200);
    }
    expect((await browser.get(asked.path)).status).toBe(400);
    const allowed = await browser.post(asked.path, { decision: "allow" });
    expect([allowed.status < 500, (await browser.follow(asked.path, allowed)).location]).toEqual([true, undefined]);
    expect(
      (await browser.submit(protectedRequest.path, { decision: "allow" })).location?.searchParams.has("code"),
    ).toBe(true);
    expect((await exchange(at.one.url, trusted, code, NO_VERIFIER)).body.error).toBe("invalid_grant");
  });

  test("of twenty parallel exchanges over two replicas one succeeds, and none with a verifier", async () => {
    const urls = [at.one.url, at.other.url];
    const replica = (index: number) => urls[index % 2] ?? at.one.url;
    for (let round = 0; round < 3; round += 1) {
      const code = await plainCode();
      const responses = await race((index) => exchange(replica(index), flexible, code, NO_VERIFIER), 20);
      const outcomes = responses.map(({ status, body }) => body.error ?? status);
      expect(outcomes.filter((outcome) => outcome === 200)).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "invalid_grant")).toHaveLength(19);
      const mixed = await plainCode();
      const attempts = await race(
        (index) => exchange(replica(index >> 1), flexible, mixed, index % 2 === 0 ? {} : NO_VERIFIER),
        20,
      );
      const withVerifier = attempts.filter((_, index) => index % 2 === 0);
      expect(withVerifier.map(({ body }) => body.error)).toEqual(Array(10).fill("invalid_grant"));
      expect(attempts.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    }
  });
});

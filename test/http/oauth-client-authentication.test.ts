/** Client authentication at the token, revocation and introspection endpoints (docs/contract.md, section 23.5). */
import { beforeAll, describe, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { Client } from "../support/client.ts";
import { type Deployment, deployment, raceWithoutRedis } from "../support/deployment.ts";
import {
  basic,
  CALLBACK,
  codeFor,
  exchange,
  introspectAt,
  makePkce,
  oauthAdmin,
  personWithBrowser,
  registerClient,
  sendForm,
  type TestClient,
} from "../support/oauth.ts";
import { ISSUER } from "../support/replica.ts";

const PATH = "/v1/admin/oauth-clients";
const TOKEN_ENDPOINT = `${ISSUER}/oauth2/token`;
const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/** A request that reaches the grant after the authentication alone. */
const PROBE = { grant_type: "refresh_token", refresh_token: "x" };

let at: Deployment;
let wiki: TestClient;
let open: TestClient;
beforeAll(async () => {
  at = await deployment();
  wiki = await registerClient();
  open = await registerClient({ token_endpoint_auth_method: "none" });
});

const probe = (fields: Record<string, string>, headers: Record<string, string> = {}, endpoint = "token") =>
  sendForm(at.one.url, `/oauth2/${endpoint}`, { ...PROBE, ...fields }, headers);

interface Signer {
  readonly id: string;
  sign(parts?: { audience?: string | string[]; key?: CryptoKey; typ?: string }): Promise<Record<string, string>>;
}

/** A client with `keyCount` keys without `kid`. Assertions are signed with the last key by default. */
async function signingClient(keyCount = 1): Promise<Signer> {
  const pairs = await Promise.all(Array.from({ length: keyCount }, () => generateKeyPair("ES256")));
  const { id } = await registerClient({
    token_endpoint_auth_method: "private_key_jwt",
    keys: await Promise.all(pairs.map(({ publicKey }) => exportJWK(publicKey))),
    grant_types: ["client_credentials"],
    redirect_uris: [],
  });
  return {
    id,
    async sign({ audience = ISSUER, key = pairs.at(-1)?.privateKey as CryptoKey, typ } = {}) {
      const assertion = await new SignJWT({ jti: crypto.randomUUID() })
        .setProtectedHeader({ alg: "ES256", ...(typ === undefined ? {} : { typ }) })
        .setIssuer(id)
        .setSubject(id)
        .setAudience(audience)
        .setExpirationTime("1 minute")
        .sign(key);
      return { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
    },
  };
}

async function statusOf(signer: Signer, options: Parameters<Signer["sign"]>[0]): Promise<number> {
  const fields = { grant_type: "client_credentials", ...(await signer.sign(options)) };
  return (await sendForm(at.one.url, "/oauth2/token", fields)).status;
}

describe("clients with a secret", () => {
  test.each(["client_secret_basic", "client_secret_post"])(
    "'oidcc-server-client-secret-post': a client of %s authenticates in the header and in the form",
    async (method) => {
      const { browser } = await personWithBrowser();
      const client = await registerClient({ token_endpoint_auth_method: method });
      const fields = { client_id: client.id, client_secret: client.secret };
      const byHeader = await exchange(at.one.url, client, await codeFor(client, browser));
      const { code, pkce } = await codeFor(client, browser);
      const form = { grant_type: "authorization_code", code, redirect_uri: CALLBACK, code_verifier: pkce.verifier };
      const byForm = await sendForm(at.one.url, "/oauth2/token", { ...form, ...fields });
      expect([byHeader.status, byForm.status]).toEqual([200, 200]);
      for (const path of ["/oauth2/introspect", "/oauth2/revoke"]) {
        expect((await sendForm(at.one.url, path, { token: "x", ...fields })).status).toBe(200);
        expect((await sendForm(at.one.url, path, { token: "x" }, basic(client))).status).toBe(200);
      }
    },
  );

  test("the form may repeat the client_id of the header, and no different client_id", async () => {
    expect((await probe({ client_id: wiki.id }, basic(wiki))).body.error).toBe("invalid_grant");
    expect((await probe({ client_id: open.id }, basic(wiki))).body.error).toBe("invalid_client");
    expect((await probe({ client_secret: wiki.secret }, basic(wiki))).body.error).toBe("invalid_request");
  });

  test("an empty secret, in the header or in the form, never authenticates a client with a secret (G108)", async () => {
    const admin = await oauthAdmin();
    const bare = await registerClient();
    const [secret] = (await admin.post(`${PATH}/${bare.id}/secrets`)).body.secrets;
    const { secrets } = (await admin.get(PATH)).body.items.find(
      (each: { client_id: string }) => each.client_id === bare.id,
    );
    expect(secrets).toContainEqual(secret);
    for (const { id } of secrets) await admin.delete(`${PATH}/${bare.id}/secrets/${id}`);
    for (const { id } of [wiki, bare]) {
      const responses = [
        await probe({}, basic({ id, secret: "" })),
        await probe({ client_id: id, client_secret: "" }),
        await probe({ client_id: id }),
      ];
      expect(responses.map(({ body }) => body.error)).toEqual(Array(3).fill("invalid_client"));
    }
  });
});

describe("public clients", () => {
  test("the client_id alone, an empty secret in the header and an empty secret in the form are alike", async () => {
    const { browser } = await personWithBrowser();
    for (const [fields, headers] of [
      [{ client_id: open.id }, {}],
      [{ client_id: open.id, client_secret: "" }, {}],
      [{}, basic({ id: open.id, secret: "" })],
      [{ client_id: open.id }, basic({ id: open.id, secret: "" })],
    ] as const) {
      const { code, pkce } = await codeFor(open, browser);
      const form = { grant_type: "authorization_code", code, redirect_uri: CALLBACK, code_verifier: pkce.verifier };
      const { status } = await sendForm(at.one.url, "/oauth2/token", { ...form, ...fields }, headers);
      expect([fields, headers, status]).toEqual([fields, headers, 200]);
    }
    const introspected = await sendForm(at.one.url, "/oauth2/introspect", { client_id: open.id, token: "x" });
    expect(introspected.body.error).toBe("unauthorized_client");
  });
});

describe("invalid_client", () => {
  test("only a request with a header Authorization gets a challenge, at every endpoint for clients", async () => {
    for (const path of ["token", "par", "device_authorization", "introspect", "revoke"]) {
      const [inForm, inHeader] = [
        await probe({ client_id: wiki.id, client_secret: "x" }, {}, path),
        await probe({}, basic({ id: wiki.id, secret: "x" }), path),
      ];
      const shown = [inForm, inHeader].map(({ status, headers }) => [status, headers.has("www-authenticate")]);
      expect([path, ...shown]).toEqual([path, [401, false], [401, true]]);
    }
  });

  test("one constant for unknown clients, wrong secrets and wrong assertions", async () => {
    const signer = await signingClient();
    const foreign = await generateKeyPair("ES256");
    const responses = [
      await probe({}, basic({ id: crypto.randomUUID(), secret: wiki.secret })),
      await probe({}, basic({ id: wiki.id, secret: makePkce().challenge })),
      await probe({ client_id: wiki.id, client_secret: "x" }),
      await probe({ client_id: crypto.randomUUID() }),
      await probe(await signer.sign({ key: foreign.privateKey })),
    ];
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses.map(({ status, body }) => [status, body.error])).toEqual(Array(5).fill([401, "invalid_client"]));
    const challenges = responses.map(({ headers }) => headers.get("www-authenticate")?.split(" ")[0] ?? null);
    expect(challenges).toEqual(["Basic", "Basic", null, null, null]);
    expect((await introspectAt(at.one.url, wiki, "x")).body).toEqual({ active: false });
  });

  test("the description names the expected method where only the method is wrong", async () => {
    const signer = await signingClient();
    const assertion = { client_assertion_type: ASSERTION_TYPE };
    const asWiki = await new SignJWT({}).setProtectedHeader({ alg: "ES256" }).setSubject(wiki.id);
    const { privateKey } = await generateKeyPair("ES256");
    const wrongMethods: [string, Record<string, string>, Record<string, string>][] = [
      ["client_secret_basic", { client_id: wiki.id }, {}],
      ["client_secret_basic", { ...assertion, client_assertion: await asWiki.sign(privateKey) }, {}],
      ["public client", {}, basic({ id: open.id, secret: "x" })],
      ["public client", { client_id: open.id, client_secret: "x" }, {}],
      ["private_key_jwt", { client_id: signer.id }, {}],
      ["private_key_jwt", {}, basic({ id: signer.id, secret: "x" })],
    ];
    for (const [expected, fields, headers] of wrongMethods) {
      const { status, body } = await probe(fields, headers);
      expect([status, body.error, body.error_description]).toEqual([
        401,
        "invalid_client",
        expect.stringContaining(expected),
      ]);
    }
  });

  test("a repeated parameter is refused, with any values", async () => {
    const twice = `grant_type=refresh_token&refresh_token=a&refresh_token=a`;
    const response = await sendForm(at.one.url, "/oauth2/token", twice, basic(wiki));
    expect([response.status, response.body.error]).toEqual([400, "invalid_request"]);
    const json = await new Client(at.one.url).post("/oauth2/token", { grant_type: "client_credentials" });
    expect([json.status, json.body.error]).toEqual([400, "invalid_request"]);
    const unknown = await sendForm(at.one.url, "/oauth2/token", { grant_type: "password" }, basic(wiki));
    expect(unknown.body.error).toBe("unsupported_grant_type");
  });
});

describe("private_key_jwt", () => {
  test("of 40 parallel uses of one assertion at two replicas with Redis emptied one succeeds", async () => {
    const signer = await signingClient();
    const fields = { grant_type: "client_credentials", ...(await signer.sign()) };
    const urls = [at.one.url, at.other.url];
    const used = await raceWithoutRedis((index) => sendForm(urls[index % 2] ?? at.one.url, "/oauth2/token", fields));
    expect(used.map(({ status }) => status).sort()).toEqual([200, ...Array(39).fill(401)]);
  });

  test("an assertion without a key id is verified by each key of the client, and by no further key", async () => {
    const signer = await signingClient(2);
    const { privateKey } = await generateKeyPair("ES256");
    expect([await statusOf(signer, {}), await statusOf(signer, { key: privateKey })]).toEqual([200, 401]);
  });

  test("the type is absent, JWT or client-authentication+jwt: others are refused (G335)", async () => {
    const signer = await signingClient();
    for (const typ of [undefined, "JWT", "jwt", "client-authentication+jwt", "application/client-authentication+jwt"]) {
      expect([typ, await statusOf(signer, typ === undefined ? {} : { typ })]).toEqual([typ, 200]);
    }
    for (const typ of [
      "at+jwt",
      "logout+jwt",
      "dpop+jwt",
      "secevent+jwt",
      "oauth-id-jag+jwt",
      "oauth-authz-req+jwt",
      "",
    ]) {
      expect([typ, await statusOf(signer, { typ })]).toEqual([typ, 401]);
    }
  });

  test("every audience is the issuer, the token or PAR endpoint, as a string or in a list (RFC 7523)", async () => {
    const signer = await signingClient();
    const audiences: [string | string[], number][] = [
      [ISSUER, 200],
      [[ISSUER], 200],
      [TOKEN_ENDPOINT, 200],
      [[TOKEN_ENDPOINT], 200],
      [[ISSUER, TOKEN_ENDPOINT], 200],
      [[ISSUER, TOKEN_ENDPOINT, `${ISSUER}/oauth2/par`], 200],
      [[ISSUER, "https://other.example.test"], 401],
      [[], 401],
      [[TOKEN_ENDPOINT, "https://other.example.test/oauth2/token"], 401],
      [[ISSUER, ISSUER], 200],
      [`${ISSUER}/`, 200],
      [`${ISSUER}/oauth2/par`, 200],
      [`${TOKEN_ENDPOINT}/`, 401],
      [`${ISSUER}/oauth2/introspect`, 401],
      ["https://other.example.test", 401],
    ];
    for (const [audience, status] of audiences) {
      expect([audience, await statusOf(signer, { audience })]).toEqual([audience, status]);
    }
  });
});

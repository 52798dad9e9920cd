/** `identity-service-client/dpop` and tokens that are bound to a key, at `createResourceVerifier` (RFC 9449). */
import { afterEach, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { contentDigestOf } from "../../clients/js/src/content-digest.ts";
import { memoryKeys } from "../../clients/js/src/dpop/keys.ts";
import { createDpop, type Dpop } from "../../clients/js/src/dpop.ts";
import { requireAuth as elysiaAuth } from "../../clients/js/src/elysia.ts";
import { requireAuth as expressAuth } from "../../clients/js/src/express.ts";
import { requireAuth as fastifyAuth } from "../../clients/js/src/fastify.ts";
import { requireAuth as honoAuth } from "../../clients/js/src/hono.ts";
import { authenticate } from "../../clients/js/src/mcp.ts";
import { requireAuth as nextAuth } from "../../clients/js/src/next.ts";
import {
  createResourceVerifier,
  type ProvenRequest,
  type ResourceVerifier,
  type ResourceVerifierOptions,
  refusalResponse,
} from "../../clients/js/src/verifier.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { makeProof, makeProofKey, type ProofKey, type ProofParts } from "../support/dpop.ts";
import { codeFor, fetchAt, personWithBrowser, registerClient, type TestClient } from "../support/oauth.ts";
import { ISSUER } from "../support/replica.ts";

const API = "https://api.example.test/";
const NOTES = `${API}notes`;

let at: Deployment;
let client: TestClient;
let browser: Awaited<ReturnType<typeof personWithBrowser>>["browser"];
beforeAll(async () => {
  at = await deployment();
  client = await registerClient({ token_endpoint_auth_method: "none", require_pkce: true });
  ({ browser } = await personWithBrowser(at));
});

const opened: { close(): unknown }[] = [];
afterEach(() => {
  setSystemTime();
  for (const each of opened.splice(0)) each.close();
});

function verifierOf(options: Partial<ResourceVerifierOptions> = {}): ResourceVerifier {
  const defaults = { issuer: ISSUER, resource: API, baseUrl: at.other.url, whenBlind: "deny" } as const;
  const verifier = createResourceVerifier({ ...defaults, ...options });
  opened.push(verifier);
  return verifier;
}

/** A client that reaches the service at a replica, with `htu` of the public address. */
const dpopClient = (keys = memoryKeys()) => createDpop({ keys, fetch: fetchAt(at.one.url) });

async function tokensOf(dpop: Pick<Dpop, "fetch">, more: Record<string, string> = {}) {
  const { code, pkce } = await codeFor(client, browser, {
    resource: API,
    scope: "openid offline_access api:read",
    ...more,
  });
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: client.id,
    code,
    redirect_uri: client.redirectUri,
    code_verifier: pkce.verifier,
  });
  const response = await dpop.fetch(`${ISSUER}/oauth2/token`, { method: "POST", body });
  return (await response.json()) as Record<string, string>;
}

/** A token that is bound to a key of `makeProofKey`, whose proofs a test can damage. */
async function boundToken(): Promise<{ token: string; key: ProofKey }> {
  const key = await makeProofKey();
  const pair = { privateKey: key.privateKey, publicKey: key.publicKey };
  const { access_token: token = "" } = await tokensOf(dpopClient(memoryKeys(pair)));
  return { token, key };
}

const get = async (token: string, key: ProofKey, { claims, ...parts }: ProofParts = {}): Promise<ProvenRequest> => ({
  method: "GET",
  url: "/notes?page=2",
  proof: await makeProof(key, { accessToken: token, claims: { htm: "GET", htu: NOTES, ...claims }, ...parts }),
});

async function codeOf(verifier: ResourceVerifier, header: string, request?: ProvenRequest): Promise<string> {
  const verification = await verifier.verifyHeader(header, {}, request);
  return verification.ok ? "ok" : verification.refusal.code;
}

describe("the client (G233)", () => {
  test("binds tokens to a key that no script can read; a refresh needs the key; a new key gives nothing", async () => {
    const keys = memoryKeys();
    const dpop = dpopClient(keys);
    const tokens = await tokensOf(dpop, { dpop_jkt: await dpop.thumbprint() });
    expect(tokens.token_type).toBe("DPoP");
    expect(decodeJwt(tokens.access_token ?? "").cnf).toEqual({ jkt: await dpop.thumbprint() });
    const { privateKey } = await keys.load();
    expect(privateKey.extractable).toBe(false);
    await expect(crypto.subtle.exportKey("jwk", privateKey)).rejects.toThrow();
    const refresh = (sender: Dpop) =>
      sender.fetch(`${ISSUER}/oauth2/token`, {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "refresh_token",
          client_id: client.id,
          refresh_token: tokens.refresh_token ?? "",
        }),
      });
    expect((await refresh(dpopClient())).status).toBe(400);
    expect((await refresh(dpop)).status).toBe(200);
    const userInfo = () => dpop.fetch(`${ISSUER}/oauth2/userinfo`, { accessToken: tokens.access_token ?? "" });
    expect((await userInfo()).status).toBe(200);
    await dpop.deleteKey();
    expect((await userInfo()).status).toBe(401);
  });

  test("repeats a request once with the nonce of a refusal, also with a wrong clock; never a stream", async () => {
    const requests: string[] = [];
    const dpop = createDpop({
      fetch: async (url, init) => {
        requests.push(new Headers(init.headers).get("dpop") ?? "");
        return await fetchAt(at.one.url)(url, init);
      },
    });
    const ask = (body: BodyInit) => dpop.fetch(`${ISSUER}/oauth2/token`, { method: "POST", body });
    setSystemTime(new Date(Date.now() - 3_600_000));
    const form = new URLSearchParams({ grant_type: "refresh_token", client_id: client.id, refresh_token: "x" });
    const stream = new Blob([form.toString()]).stream();
    const streamed = await dpop.fetch(`${ISSUER}/oauth2/token`, {
      method: "POST",
      body: stream,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([requests.length, await streamed.json()]).toMatchObject([1, { error: "use_dpop_nonce" }]);
    const other = createDpop({ fetch: fetchAt(at.one.url) });
    const body = await (await other.fetch(`${ISSUER}/oauth2/token`, { method: "POST", body: form })).json();
    expect(body).toMatchObject({ error: "invalid_grant" });
    // The nonce of the stream's refusal is used at once.
    expect(await (await ask(form)).json()).toMatchObject({ error: "invalid_grant" });
    expect(requests.map((proof) => typeof decodeJwt(proof).nonce)).toEqual(["undefined", "string"]);
    expect(decodeProtectedHeader(requests[0] ?? "").jwk).not.toHaveProperty("d");
  });
});

describe("a bound token at an API (G233)", () => {
  test("is accepted with a proof for the request, once; query and case of the host do not count", async () => {
    const { token, key } = await boundToken();
    const verifier = verifierOf();
    const first = await get(token, key);
    expect(await codeOf(verifier, `DPoP ${token}`, first)).toBe("ok");
    expect(await codeOf(verifier, `dpop ${token}`, first)).toBe("invalid_dpop_proof");
    const upper = await get(token, key, { claims: { htu: "HTTPS://API.example.test/notes?page=2#x" } });
    expect(await codeOf(verifier, `DPoP ${token}`, upper)).toBe("ok");
    const behindProxy = verifierOf({ dpop: { publicUrl: "https://example.test/api/" } });
    const proxied = await get(token, key, { claims: { htu: "https://example.test/api/notes" } });
    expect(await codeOf(behindProxy, `DPoP ${token}`, proxied)).toBe("ok");
  });

  test("is refused as Bearer, without a proof, and with a proof of another key", async () => {
    const { token, key } = await boundToken();
    const verifier = verifierOf();
    const otherKey = await makeProofKey();
    expect(await codeOf(verifier, `Bearer ${token}`, await get(token, key))).toBe("invalid_token");
    expect(await codeOf(verifier, `DPoP ${token}`)).toBe("invalid_dpop_proof");
    expect(await codeOf(verifier, `DPoP ${token}`, { method: "GET", url: "/notes" })).toBe("invalid_dpop_proof");
    expect(await codeOf(verifier, `DPoP ${token}`, await get(token, otherKey))).toBe("invalid_token");
    expect((await verifier.verify(token)).ok).toBe(false);
    const unbound = await tokensOf({ fetch: fetchAt(at.one.url) } as Pick<Dpop, "fetch">);
    const plain = unbound.access_token ?? "";
    expect(await codeOf(verifier, `Bearer ${plain}`)).toBe("ok");
    expect(await codeOf(verifier, `DPoP ${plain}`, await get(plain, key))).toBe("invalid_token");
    expect(await codeOf(verifier, `Bearer ${plain}`, await get(plain, key))).toBe("invalid_token");
    expect(await codeOf(verifierOf({ dpop: { required: true } }), `Bearer ${plain}`)).toBe("invalid_token");
  });

  const foreign = "x".repeat(40);
  const damaged: [string, ProofParts][] = [
    ["another method", { claims: { htm: "POST" } }],
    ["another path", { claims: { htu: `${API}admin` } }],
    ["another host", { claims: { htu: "https://attacker.example.test/notes" } }],
    ["a URL with a user", { claims: { htu: "https://u@api.example.test/notes" } }],
    ["no URL", { claims: { htu: "notes" } }],
    ["the hash of another token", { accessToken: foreign }],
    ["no hash", { claims: { ath: undefined } }],
    ["no jti", { claims: { jti: undefined } }],
    ["a jti of 257 characters", { claims: { jti: "j".repeat(257) } }],
    ["no iat", { claims: { iat: undefined } }],
    ["an exp that has passed", { claims: { exp: 1 } }],
    ["an nbf in the future", { claims: { nbf: 4_000_000_000 } }],
    ["another typ", { header: { typ: "JWT" } }],
    ["a header without a key", { header: { jwk: undefined } }],
    ["an algorithm that is not of the key", { header: { alg: "ES256", jwk: { kty: "OKP", crv: "Ed25519", x: "AA" } } }],
  ];
  test("is refused with a proof of any other request or form", async () => {
    const { token, key } = await boundToken();
    const verifier = verifierOf();
    for (const [name, parts] of damaged) {
      const code = await codeOf(verifier, `DPoP ${token}`, await get(token, key, parts));
      expect([name, code]).toEqual([name, "invalid_dpop_proof"]);
    }
    const { proof } = await get(token, key);
    const [header, payload, signature] = proof?.split(".") ?? [];
    const headerWith = (more: object) =>
      Buffer.from(JSON.stringify({ typ: "dpop+jwt", alg: "ES256", jwk: key.jwk, ...more })).toString("base64url");
    const forged: Record<string, string> = {
      "two proofs": `${proof}, ${proof}`,
      "alg none": `${headerWith({ alg: "none" })}.${payload}.`,
      HS256: `${headerWith({ alg: "HS256" })}.${payload}.${signature}`,
      "a private key": `${headerWith({ jwk: { ...key.jwk, d: "AA" } })}.${payload}.${signature}`,
      crit: `${headerWith({ crit: ["b64"], b64: false })}.${payload}.${signature}`,
      "another signature": `${header}.${payload}.${signature?.startsWith("A") ? "B" : "A"}${signature?.slice(1)}`,
      "more than 8 KiB": `${proof}${"A".repeat(9_000)}`,
    };
    for (const [name, text] of Object.entries(forged)) {
      const code = await codeOf(verifier, `DPoP ${token}`, { method: "GET", url: "/notes", proof: text });
      expect([name, code]).toEqual([name, "invalid_dpop_proof"]);
    }
    expect(await codeOf(verifier, `DPoP ${token}`, { method: "GET", url: "/notes", proof: proof ?? "" })).toBe("ok");
  });

  test("with an old proof needs the nonce of the API, of the last four minutes, which replaces the clock", async () => {
    const { token, key } = await boundToken();
    const verifier = verifierOf({ dpop: { nonceSecret: new Uint8Array(32).fill(7) } });
    const strict = verifierOf({ dpop: { nonce: "required", nonceSecret: new Uint8Array(32).fill(7) } });
    const old = { iat: Math.floor(Date.now() / 1000) - 61 };
    const refused = await verifier.verifyHeader(`DPoP ${token}`, {}, await get(token, key, { claims: old }));
    if (refused.ok) throw new Error("an old proof was accepted");
    const { status, headers } = refusalResponse(refused.refusal);
    const nonce = headers["dpop-nonce"] ?? "";
    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toStartWith(
      'DPoP error="use_dpop_nonce", algs="ES256 EdDSA PS256 RS256", resource_metadata=',
    );
    const withNonce = (value: unknown) => get(token, key, { claims: { ...old, nonce: value } });
    expect(await codeOf(verifier, `DPoP ${token}`, await withNonce(nonce))).toBe("ok");
    expect(await codeOf(strict, `DPoP ${token}`, await withNonce(nonce))).toBe("ok");
    expect(await codeOf(strict, `DPoP ${token}`, await get(token, key))).toBe("use_dpop_nonce");
    for (const wrong of ["x", 1, `${nonce}x`])
      expect(await codeOf(verifier, `DPoP ${token}`, await withNonce(wrong))).toBe("use_dpop_nonce");
    setSystemTime(new Date(Date.now() + 240_000));
    expect(await codeOf(verifier, `DPoP ${token}`, await withNonce(nonce))).toBe("use_dpop_nonce");
  });

  test("Of 40 requests with one proof at two processes with a common record, a single request is served.", async () => {
    const { token, key } = await boundToken();
    const used = new Set<string>();
    const recordUse = async (id: string) => !used.has(id) && used.add(id) !== undefined;
    const verifiers = [verifierOf({ dpop: { recordUse } }), verifierOf({ dpop: { recordUse } })];
    const request = await get(token, key);
    const codes = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        codeOf(verifiers[index % 2] as ResourceVerifier, `DPoP ${token}`, request),
      ),
    );
    expect(codes.toSorted()).toEqual([...new Array(39).fill("invalid_dpop_proof"), "ok"]);
    const broken = verifierOf({ dpop: { recordUse: () => Promise.reject(new Error("unavailable")) } });
    expect(await codeOf(broken, `DPoP ${token}`, await get(token, key))).toBe("cannot_tell");
  });

  test("Beyond the bound of used proofs a proof is a 503; no used proof is forgotten early.", async () => {
    const { token, key } = await boundToken();
    const verifier = verifierOf({ dpop: { maxProofs: 2 } });
    const [first, second, third] = [await get(token, key), await get(token, key), await get(token, key)];
    for (const request of [first, second]) expect(await codeOf(verifier, `DPoP ${token}`, request)).toBe("ok");
    expect(await codeOf(verifier, `DPoP ${token}`, third)).toBe("cannot_tell");
    expect(await codeOf(verifier, `DPoP ${token}`, first)).toBe("invalid_dpop_proof");
    setSystemTime(new Date(Date.now() + 80_000));
    expect(await codeOf(verifier, `DPoP ${token}`, await get(token, key))).toBe("ok");
    expect(await codeOf(verifier, `DPoP ${token}`, first)).toBe("use_dpop_nonce");
  });
});

describe("content_digest, in the draft of 2025 of MCP's DPoP profile (G233)", () => {
  const CALL = '{"jsonrpc":"2.0","method":"tools/list","id":1}';
  const required = { dpop: { contentDigest: "required", maxAgeSeconds: 300 } } as const;

  /** The requests that the client sends to the API. */
  async function sentBy(body: BodyInit | null, headers: HeadersInit = {}): Promise<Request> {
    const sent: Request[] = [];
    const pair = await makeProofKey();
    const keys = memoryKeys({ privateKey: pair.privateKey, publicKey: pair.publicKey });
    const { access_token: accessToken = "" } = await tokensOf(dpopClient(keys));
    const dpop = createDpop({
      keys,
      contentDigest: true,
      fetch: async (url, init) => Response.json({}, { status: sent.push(new Request(url, init)) && 200 }),
    });
    await dpop.fetch(NOTES, { method: "POST", body, accessToken, headers });
    return sent[0] as Request;
  }

  test("is the SHA-256 of the body, as RFC 9530 prints", async () => {
    const printed = "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:";
    expect(await contentDigestOf('{"hello": "world"}')).toBe(printed);
  });

  test("of the client is accepted for each form of a body; a token request has none", async () => {
    const verifier = verifierOf(required);
    const form = new FormData();
    form.set("name", "value");
    const bodies = [
      CALL,
      new TextEncoder().encode(CALL),
      new URLSearchParams({ a: "b" }),
      form,
      new Blob([CALL]),
      "",
      null,
    ];
    for (const body of bodies) {
      const request = await sentBy(body);
      const served = await authenticate(request, { verifier, resource: API });
      expect([body, "authInfo" in served]).toEqual([body, true]);
      expect(request.bodyUsed).toBe(false);
    }
    expect((await (await sentBy(form)).formData()).get("name")).toBe("value");
    const typed = await sentBy(CALL, { "content-type": "application/json" });
    expect([typed.headers.get("content-type"), await typed.text()]).toEqual(["application/json", CALL]);
    const proofs: string[] = [];
    const dpop = createDpop({
      contentDigest: true,
      fetch: async (_url, { headers }) =>
        Response.json({}, { status: proofs.push(new Headers(headers).get("dpop") ?? "") && 200 }),
    });
    await dpop.fetch(`${ISSUER}/oauth2/token`, { method: "POST", body: CALL });
    expect(decodeJwt(proofs[0] ?? "")).not.toHaveProperty("content_digest");
  });

  test("is refused for another body, without the claim, in another form and for an unknown body", async () => {
    const { token, key } = await boundToken();
    const verifier = verifierOf(required);
    const digest = await contentDigestOf(CALL);
    const code = async (claim: unknown, content: ProvenRequest["content"], of = verifier) => {
      const proof = await makeProof(key, { accessToken: token, claims: { htu: NOTES, content_digest: claim } });
      return await codeOf(of, `DPoP ${token}`, { method: "POST", url: "/notes", proof, content });
    };
    const call = async () => CALL;
    expect(await code(digest, call)).toBe("ok");
    const refused = [
      [digest, async () => `${CALL} `],
      [digest, async () => ""],
      [undefined, call],
      [digest.replaceAll("=:", ":"), call],
      [digest.toUpperCase(), call],
      [`${digest}, ${digest}`, call],
      [[digest], call],
      [digest, async () => undefined],
      [digest, undefined],
    ] as const;
    for (const [claim, content] of refused)
      expect([claim, await code(claim, content)]).toEqual([claim, "invalid_dpop_proof"]);
    // Without the option the claim is not evaluated (RFC 9449, section 4.3).
    expect(await code("of another body", undefined, verifierOf())).toBe("ok");
  });

  test("beyond 4 MiB is refused; a refused body uses no proof", async () => {
    const { token, key } = await boundToken();
    const verifier = verifierOf(required);
    const claims = { htu: NOTES, content_digest: await contentDigestOf(CALL) };
    const headers = { authorization: `DPoP ${token}`, dpop: await makeProof(key, { accessToken: token, claims }) };
    const requestOf = (body: BodyInit) => new Request(NOTES, { method: "POST", headers, body });
    const outcomeOf = async (request: Request) => {
      const served = await authenticate(request, { verifier, resource: API });
      return "response" in served ? served.response.status : 200;
    };
    expect(await outcomeOf(requestOf(new Uint8Array(4 * 1024 * 1024 + 1)))).toBe(401);
    expect([await outcomeOf(requestOf(CALL)), await outcomeOf(requestOf(CALL))]).toEqual([200, 401]);
  });

  test("needs rawBody in Express and Fastify", async () => {
    const { token, key } = await boundToken();
    const verifier = verifierOf(required);
    const nodeRequest = async (method: string, rawBody: string | undefined, content_digest: string | undefined) => ({
      method,
      url: "/notes",
      rawBody,
      headers: {
        authorization: `DPoP ${token}`,
        dpop: await makeProof(key, { accessToken: token, claims: { htm: method, htu: NOTES, content_digest } }),
      },
    });
    const digest = await contentDigestOf(CALL);
    const requests: [string, string | undefined, string | undefined][] = [
      ["POST", CALL, digest],
      ["POST", undefined, digest],
      ["GET", undefined, undefined],
    ];
    const outcomes: unknown[] = [];
    const response = { status: (status: number) => ({ set: () => ({ json: () => outcomes.push(status) }) }) };
    const reply = { code: (status: number) => ({ headers: () => ({ send: () => outcomes.push(status) }) }) };
    for (const request of requests) {
      await expressAuth(verifier)(await nodeRequest(...request), response, () => outcomes.push("next"));
      await fastifyAuth(verifier)(await nodeRequest(...request), reply);
    }
    expect(outcomes).toEqual(["next", 401, 401, "next"]);
  });
});

describe("adapters", () => {
  test("Every adapter and the MCP part pass the proof to the verifier (G233).", async () => {
    const { token, key } = await boundToken();
    const verifier = verifierOf();
    const request = async () => {
      const { proof } = await get(token, key);
      return new Request(`${NOTES}?page=2`, { headers: { authorization: `DPoP ${token}`, dpop: proof ?? "" } });
    };
    const served = () => Response.json({});
    const [elysia, hono, next] = [elysiaAuth(verifier), honoAuth(verifier), nextAuth(verifier)(served)];
    expect(await elysia({ request: await request() })).toBeUndefined();
    expect(await hono({ req: { raw: await request() } }, async () => undefined)).toBeUndefined();
    expect((await next(await request())).status).toBe(200);
    expect(await authenticate(await request(), { verifier, resource: API })).toMatchObject({ authInfo: { token } });
    const { url, headers } = await request();
    const nodeRequest = async () => ({
      method: "GET",
      originalUrl: new URL(url).pathname,
      url: "/",
      headers: { authorization: headers.get("authorization") ?? "", dpop: (await get(token, key)).proof ?? "" },
    });
    const outcomes: unknown[] = [];
    const response = { status: (status: number) => ({ set: () => ({ json: () => outcomes.push(status) }) }) };
    await expressAuth(verifier)(await nodeRequest(), response, () => outcomes.push("next"));
    const reply = { code: (status: number) => ({ headers: () => ({ send: () => outcomes.push(status) }) }) };
    await fastifyAuth(verifier)(await nodeRequest(), reply);
    expect(outcomes).toEqual(["next"]);
  });
});

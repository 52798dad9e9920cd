/**
 * Sends requests over PAR, DPoP, device flow and JAR to this provider and to oidc-provider. The responses agree, or the
 * difference is listed below with the clause of the specification. Registration: `oauth-registration.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac, randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { deployment, whileShared } from "../support/deployment.ts";
import {
  basicHeader,
  type Content,
  compare,
  type Differences,
  type EndpointName,
  type Exchange,
  inOwnNetworks,
  MODERN_FEATURES,
  mutations,
  ourSide,
  type Parameters,
  type Side,
  startPeer,
} from "../support/differential.ts";
import { makeProofKey, type ProofKey } from "../support/dpop.ts";
import { CALLBACK, registerClient, type TestClient } from "../support/oauth.ts";
import { type Replica, startReplica } from "../support/replica.ts";

const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const now = () => Math.floor(Date.now() / 1000);

interface Signer extends TestClient {
  readonly privateKey: CryptoKey;
}

let replica: Replica;
let sides: readonly [Side, Side];
let basic: TestClient;
let open: TestClient;
let signer: Signer;
let screen: TestClient;
let terminal: TestClient;
let keys: { readonly es: ProofKey; readonly ed: ProofKey; readonly ps: ProofKey; readonly rs: ProofKey };

beforeAll(async () => {
  const { databaseUrl } = await deployment();
  const grant_types = ["authorization_code", "refresh_token"];
  const scopes = ["openid", "profile", "email", "offline_access"];
  const none = { grant_types, scopes, resources: [] };
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), alg: "ES256", use: "sig", kid: "signer" };
  const device = { grant_types: [DEVICE_GRANT, "refresh_token"], redirect_uris: [], scopes, resources: [] };
  basic = await registerClient({ ...none, grant_types: [...grant_types, "client_credentials"] });
  open = await registerClient({ ...none, token_endpoint_auth_method: "none" });
  const keyed = { ...none, token_endpoint_auth_method: "private_key_jwt", keys: [jwk] };
  signer = { ...(await registerClient(keyed)), privateKey };
  screen = await registerClient({ ...device, token_endpoint_auth_method: "none" });
  terminal = await registerClient(device);
  const [es, ed, ps, rs] = [
    await makeProofKey("ES256"),
    await makeProofKey("EdDSA"),
    await makeProofKey("PS256"),
    await makeProofKey("RS256"),
  ];
  keys = { es, ed, ps, rs };
  // Each request has a network of its own: unknown applications of a network have a bound (G272).
  replica = await startReplica({ DATABASE_URL: databaseUrl, SERVICE_TRUSTED_PROXIES: "127.0.0.1" });
  sides = [inOwnNetworks(ourSide(replica.url)), await startOther(jwk)];
});
afterAll(() => replica.kill());

async function startOther(jwk: JWK): Promise<Side> {
  const common = {
    redirect_uris: [CALLBACK],
    response_types: ["code" as const],
    scope: "openid profile email offline_access",
  };
  const codes = { ...common, grant_types: ["authorization_code", "refresh_token"] };
  const device = { ...common, redirect_uris: [], response_types: [], grant_types: [DEVICE_GRANT, "refresh_token"] };
  return await startPeer(
    [
      {
        ...codes,
        grant_types: [...codes.grant_types, "client_credentials"],
        client_id: basic.id,
        client_secret: basic.secret,
      },
      { ...codes, client_id: open.id, token_endpoint_auth_method: "none" },
      {
        ...codes,
        client_id: signer.id,
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_signing_alg: "ES256",
        jwks: { keys: [jwk] as never },
      },
      { ...device, client_id: screen.id, token_endpoint_auth_method: "none" },
      { ...device, client_id: terminal.id, client_secret: terminal.secret },
    ],
    MODERN_FEATURES,
  );
}

function plain(
  name: string,
  endpoint: EndpointName,
  parameters: Parameters,
  headers: Record<string, string> = {},
): Exchange {
  return { name, method: "POST", endpoint, content: () => ({ parameters, headers }) };
}

const requestOf = ({ id }: { readonly id: string }) => ({
  client_id: id,
  redirect_uri: CALLBACK,
  response_type: "code",
  scope: "openid",
  state: "s",
  nonce: "n",
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
});

/** RFC 9126. */
function pushes(): Exchange[] {
  const values = {
    redirect_uri: [
      `${CALLBACK}/x`,
      `${CALLBACK}?x=1`,
      "https://attacker.example.test/",
      "javascript:alert(1)",
      "/callback",
      `${CALLBACK}#x`,
    ],
    response_type: ["token", "id_token", "code id_token", "none", "x"],
    response_mode: ["query", "form_post", "fragment", "x"],
    scope: ["openid profile email", "openid offline_access", "profile"],
    prompt: ["none", "login", "consent", "none login", "x"],
    max_age: ["0", "100", "-1", "x"],
    code_challenge: ["x", "x".repeat(129)],
    code_challenge_method: ["plain", "s256"],
    request: ["x"],
    request_uri: ["https://attacker.example.test/", "urn:ietf:params:oauth:request_uri:x"],
    dpop_jkt: ["x", "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"],
    login_hint: ["ada@example.com"],
    acr_values: ["aal2"],
    unknown: ["x"],
  };
  const authenticated: [string, TestClient, Parameters, Record<string, string>][] = [
    ["basic", basic, {}, basicHeader(basic)],
    ["open", open, {}, {}],
  ];
  const wrong: [string, Parameters, Record<string, string>][] = [
    ["no client", { client_id: undefined }, {}],
    ["an unknown client", { client_id: randomUUID() }, {}],
    ["a wrong secret", {}, basicHeader({ id: basic.id, secret: "x".repeat(43) })],
    ["no secret", {}, {}],
    ["the secret of a public client", { client_id: open.id, client_secret: "x" }, {}],
    ["another client in the form", { client_id: open.id }, basicHeader(basic)],
    ["two methods", { client_secret: basic.secret }, basicHeader(basic)],
    ["a malformed header", {}, { authorization: "Basic !!!" }],
  ];
  return [
    ...authenticated.flatMap(([who, client, fields, headers]) =>
      [["good", requestOf(client)] as [string, Parameters], ...mutations(requestOf(client), values)].map(
        ([name, parameters]) => plain(`par, ${who}: ${name}`, "par", { ...parameters, ...fields }, headers),
      ),
    ),
    ...wrong.map(([name, fields, headers]) =>
      plain(`par, ${name}`, "par", { ...requestOf(basic), ...fields }, headers),
    ),
  ];
}

/** RFC 8628. */
function devices(): Exchange[] {
  const asked = { client_id: screen.id, scope: "openid" };
  const values = {
    scope: ["openid offline_access", "openid email", "profile", "unknown"],
    resource: ["https://unknown.example.test/", "relative", "https://api.example.test/#x"],
    acr_values: ["aal2"],
    nonce: ["n"],
    unknown: ["x"],
    client_secret: ["x"],
  };
  const polled = { client_id: screen.id, grant_type: DEVICE_GRANT, device_code: "x".repeat(43) };
  const polls = {
    device_code: ["unknown", "x".repeat(200), "WDJB-MJHT"],
    grant_type: ["urn:ietf:params:oauth:grant-type:device", "device_code"],
    scope: ["openid"],
    client_secret: ["x"],
  };
  const headers: [string, Record<string, string>][] = [
    ["the right secret", basicHeader(terminal)],
    ["a wrong secret", basicHeader({ id: terminal.id, secret: "x" })],
    ["an unknown client", basicHeader({ id: randomUUID(), secret: "x" })],
    ["a client without the grant", basicHeader(basic)],
    ["a malformed header", { authorization: "Basic !!!" }],
    ["another scheme", { authorization: "Bearer x" }],
    ["nobody", {}],
  ];
  return [
    plain("device: good", "device", asked),
    ...mutations(asked, values).map(([name, fields]) => plain(`device: ${name}`, "device", fields)),
    ...mutations(polled, polls).map(([name, fields]) => plain(`device, poll: ${name}`, "token", fields)),
    ...headers.flatMap(([name, header]) => [
      plain(`device, ${name}`, "device", { scope: "openid" }, header),
      plain(`device, poll, ${name}`, "token", { grant_type: DEVICE_GRANT, device_code: "x".repeat(43) }, header),
    ]),
    plain("device, a public client without the grant", "device", { ...asked, client_id: open.id }),
  ];
}

type Claims = Readonly<Record<string, unknown>>;
type Header = Readonly<Record<string, unknown>>;
type Change = readonly [name: string, claims?: Claims, header?: Header, key?: () => ProofKey];

/** Claims of a function have a new value for each request. */
const resolved = (claims: Claims): Claims =>
  Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [name, typeof value === "function" ? value() : value]),
  );

async function proofAt(
  side: Side,
  endpoint: EndpointName,
  [, claims = {}, header = {}, keyOf]: Change,
): Promise<string> {
  const key = keyOf?.() ?? keys.es;
  const htu = `${side.issuer}/${side.pathOf(endpoint)}`;
  const made = { jti: randomUUID(), htm: "POST", htu, iat: now(), ...resolved(claims) };
  const payload = typeof made.htu === "string" ? { ...made, htu: made.htu.replace("{htu}", htu) } : made;
  return await new SignJWT(payload as never)
    .setProtectedHeader({ typ: "dpop+jwt", alg: key.alg, jwk: key.jwk, ...header } as never)
    .sign(key.privateKey);
}

/** RFC 9449, section 4.3. */
const PROOF_CHANGES: readonly Change[] = [
  ["good"],
  ["by EdDSA", {}, {}, () => keys.ed],
  ["by PS256", {}, {}, () => keys.ps],
  ["by RS256", {}, {}, () => keys.rs],
  ["htm missing", { htm: undefined }],
  ["htm of another method", { htm: "GET" }],
  ["htm in lower case", { htm: "post" }],
  ["htm empty", { htm: "" }],
  ["htu missing", { htu: undefined }],
  ["htu of another path", { htu: "{htu}/x" }],
  ["htu of another host", { htu: "https://attacker.example.test/oauth2/token" }],
  ["htu with a query", { htu: "{htu}?a=1" }],
  ["htu with a fragment", { htu: "{htu}#a" }],
  ["htu empty", { htu: "" }],
  ["htu relative", { htu: "/oauth2/token" }],
  ["htu a number", { htu: 1 }],
  ["iat missing", { iat: undefined }],
  ["iat text", { iat: "1" }],
  ["iat zero", { iat: 0 }],
  ["iat an hour ago", { iat: now() - 3600 }],
  ["iat in an hour", { iat: now() + 3600 }],
  ["iat 10 seconds ago", { iat: now() - 10 }],
  ["iat in 10 seconds", { iat: now() + 10 }],
  ["jti missing", { jti: undefined }],
  ["jti empty", { jti: "" }],
  ["jti a number", { jti: 1 }],
  ["jti long", { jti: () => randomUUID().repeat(7) }],
  ["nonce unknown", { nonce: "x" }],
  ["nonce a number", { nonce: 1 }],
  ["nonce empty", { nonce: "" }],
  ["exp in the past", { exp: now() - 600 }],
  ["exp in the future", { exp: now() + 60 }],
  ["nbf in the future", { nbf: now() + 600 }],
  ["nbf in the past", { nbf: now() - 60 }],
  ["an unknown claim", { x: 1 }],
  ["ath without an access token", { ath: "x" }],
  ["typ missing", {}, { typ: undefined }],
  ["typ JWT", {}, { typ: "JWT" }],
  ["typ with application/", {}, { typ: "application/dpop+jwt" }],
  ["jwk missing", {}, { jwk: undefined }],
  [
    "jwk of another key",
    {},
    {
      jwk: {
        kty: "EC",
        crv: "P-256",
        x: "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
        y: "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA",
      },
    },
  ],
  ["jwk symmetric", {}, { jwk: { kty: "oct", k: "c2VjcmV0" } }],
  ["jwk empty", {}, { jwk: {} }],
  ["jwk text", {}, { jwk: "x" }],
  ["an unknown member in the header", {}, { x: 1 }],
];

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const UNSIGNED: readonly (readonly [string, (side: Side) => string])[] = [
  ["no JWT", () => "x"],
  ["empty", () => ""],
  ["two parts", () => "e30.e30"],
  [
    "alg none",
    (side) =>
      `${part({ typ: "dpop+jwt", alg: "none" })}.${part({ jti: "x", htm: "POST", htu: side.issuer, iat: now() })}.`,
  ],
  [
    "alg HS256",
    () => {
      const header = { typ: "dpop+jwt", alg: "HS256", jwk: { kty: "oct", k: "c2VjcmV0" } };
      const signed = `${part(header)}.${part({ jti: "x" })}`;
      return `${signed}.${createHmac("sha256", "secret").update(signed).digest("base64url")}`;
    },
  ],
];

function proofs(): Exchange[] {
  const places: [EndpointName, Parameters][] = [
    ["token", { grant_type: "client_credentials" }],
    ["par", requestOf(basic)],
  ];
  return places.flatMap(([endpoint, parameters]) => {
    const exchange = (name: string, dpop: (side: Side) => string | Promise<string>): Exchange => ({
      name: `dpop, ${endpoint}: ${name}`,
      method: "POST",
      endpoint,
      content: async (side) => ({ parameters, headers: { ...basicHeader(basic), dpop: await dpop(side) } }),
    });
    return [
      ...PROOF_CHANGES.map((change) => exchange(change[0], (side) => proofAt(side, endpoint, change))),
      ...UNSIGNED.map(([name, proof]) => exchange(name, proof)),
      exchange("two proofs", async (side) => {
        const [one, other] = [await proofAt(side, endpoint, ["one"]), await proofAt(side, endpoint, ["other"])];
        return `${one}, ${other}`;
      }),
    ];
  });
}

const signedBy = (claims: Claims, header: Header = {}, key = signer.privateKey) =>
  new SignJWT(claims as never).setProtectedHeader({ alg: "ES256", ...header } as never).sign(key);

async function objectAt(side: Side, [, claims = {}, header = {}, keyOf]: Change): Promise<string> {
  const lifetime = { nbf: now(), exp: now() + 300 };
  const made = { ...requestOf(signer), iss: signer.id, aud: side.issuer, ...lifetime, ...resolved(claims) };
  return await signedBy(made, header, keyOf?.().privateKey);
}

async function credentialsAt(side: Side): Promise<Parameters> {
  const claims = { iss: signer.id, sub: signer.id, aud: side.issuer, jti: randomUUID(), iat: now(), exp: now() + 60 };
  return { client_id: signer.id, client_assertion_type: ASSERTION_TYPE, client_assertion: await signedBy(claims) };
}

/** RFC 9101, sections 4, 6 and 10. */
const OBJECT_CHANGES: readonly Change[] = [
  ["good"],
  ["typ oauth-authz-req+jwt", {}, { typ: "oauth-authz-req+jwt" }],
  ["typ JWT", {}, { typ: "JWT" }],
  ["an unknown member in the header", {}, { x: 1 }],
  ["the kid of another key", {}, { kid: "other" }],
  ["another key", {}, {}, () => keys.es],
  ["iss missing", { iss: undefined }],
  ["iss of another client", { iss: "other" }],
  ["aud missing", { aud: undefined }],
  ["aud of another server", { aud: "https://other.example.test" }],
  ["aud empty", { aud: [] }],
  ["exp missing", { exp: undefined }],
  ["exp in the past", { nbf: now() - 900, exp: now() - 600 }],
  ["exp text", { exp: "x" }],
  ["nbf missing", { nbf: undefined }],
  ["nbf in the future", { nbf: now() + 600, exp: now() + 900 }],
  ["a lifetime of two hours", { exp: now() + 7200 }],
  ["sub of the client", { sub: () => signer.id }],
  ["client_id missing", { client_id: undefined }],
  ["client_id of another client", { client_id: "other" }],
  ["request inside", { request: "x" }],
  ["request_uri inside", { request_uri: "https://attacker.example.test/" }],
  ["redirect_uri missing", { redirect_uri: undefined }],
  ["redirect_uri of another site", { redirect_uri: "https://attacker.example.test/" }],
  ["response_type missing", { response_type: undefined }],
  ["response_type token", { response_type: "token" }],
  ["code_challenge missing", { code_challenge: undefined, code_challenge_method: undefined }],
  ["code_challenge_method plain", { code_challenge_method: "plain" }],
  ["scope unknown", { scope: "unknown" }],
  ["scope with profile", { scope: "openid profile" }],
  ["state missing", { state: undefined }],
  ["an unknown claim", { x: 1 }],
  ["max_age a number", { max_age: 100 }],
  ["prompt login", { prompt: "login" }],
  ["prompt unknown", { prompt: "x" }],
];

const UNSIGNED_OBJECTS: readonly (readonly [string, () => string])[] = [
  ["no JWT", () => "x"],
  ["two parts", () => "e30.e30"],
  ["alg none", () => `${part({ alg: "none" })}.${part({ ...requestOf(signer), iss: signer.id })}.`],
  ["five parts", () => "e30.e30.e30.e30.e30"],
];

function objects(): Exchange[] {
  const outside = { state: "outside", scope: "openid email" };
  const places: [string, (request: (side: Side) => Promise<string> | string) => Omit<Exchange, "name">][] = [
    [
      "par",
      (request) => ({
        method: "POST",
        endpoint: "par",
        content: async (side): Promise<Content> => {
          return { parameters: { ...outside, ...(await credentialsAt(side)), request: await request(side) } };
        },
      }),
    ],
    [
      "authorize",
      (request) => ({
        method: "GET",
        endpoint: "authorize",
        content: async (side): Promise<Content> => {
          return { parameters: { ...outside, client_id: signer.id, request: await request(side) } };
        },
      }),
    ],
  ];
  return places.flatMap(([place, exchange]) => [
    ...OBJECT_CHANGES.map((change) => ({
      name: `jar, ${place}: ${change[0]}`,
      ...exchange((side) => objectAt(side, change)),
    })),
    ...UNSIGNED_OBJECTS.map(([name, object]) => ({ name: `jar, ${place}: ${name}`, ...exchange(object) })),
  ]);
}

/** Permitted differences of the two providers, with the reason. */
const DIFFERENCES: Differences = [
  [/^par, basic: client_id (missing|empty): 201/, "RFC 6749, 2.3.1: the header names the client"],
  [/: 401 invalid_client, not 400 invalid_request/, "RFC 6749, 5.2: no authentication, or by another method"],
  [
    /redirect_uri (missing|empty): (400 invalid_request|page)/,
    "OpenID Connect Core 3.1.2.1: required, also if one is registered",
  ],
  [
    /: 400 invalid_redirect_uri, not 400 invalid_request/,
    "RFC 7591, 3.2.2: the code names the parameter; RFC 9126, 2.3",
  ],
  [/response_type #[123]: 400 unsupported_response_type/, "RFC 6749, 4.1.2.1: no flow but the code flow is there"],
  [/^par, \w+: scope (missing|empty|#2): 201/, "RFC 6749, 3.3: a request without openid is one of OAuth alone"],
  [/scope with a space: 20[01] ok, not 400 invalid_scope/, "clients join lists: extra spaces are ignored"],
  [/scope (in another case|#3|unknown): .*invalid_scope, not/, "RFC 6749, 5.2: no known scope is left"],
  [
    /response_mode #2: 400 invalid_request/,
    "OAuth 2.0 Multiple Response Types, 2.1: only query and form_post are there",
  ],
  [/response_mode #3: 400 invalid_request/, "RFC 6749, 4.1.2.1: the other's code is not registered"],
  [/request #0: 400 request_not_supported/, "OpenID Connect Core 3.1.2.6: the client has no key"],
  [/request_uri #[01]: 400 invalid_request/, "RFC 9126, 2.1: a pushed request has no request_uri"],
  [/dpop_jkt #0: 400 invalid_request/, "RFC 9449, 10: a SHA-256 thumbprint has 43 characters"],
  [/grant: 400 unauthorized_client, not 400 invalid_request/, "RFC 6749, 5.2: a grant that the client may not use"],
  [/by [PR]S256: 20[01] ok/, "RFC 9449, 5.1: each provider lists its algorithms"],
  [/iat zero: 400 use_dpop_nonce/, "RFC 9449, 8: the provider chooses when a nonce is needed"],
  [/nonce empty: 400 use_dpop_nonce/, "RFC 9449, 4.3: a nonce is one that the provider has sent"],
  [/^dpop, \w+: empty: 400 invalid_dpop_proof/, "RFC 9449, 4.3: the header is there, and is no JWT"],
  [
    /^jar, \w+: (exp missing|nbf missing|a lifetime of two hours): /,
    "FAPI 2.0 Message Signing, 5.3.1: a bounded lifetime, for every client",
  ],
  [/^jar, \w+: sub of the client: /, "RFC 9101, 10.8: an assertion for authentication is no request object"],
  [
    /^jar, authorize: .*: page 400, not application: invalid_request_object/,
    "RFC 9101, 6.3: without a valid object no redirect URI is known",
  ],
];

describe("this provider and oidc-provider", () => {
  test("agree about more than 350 requests over PAR, DPoP, device flow and JAR, or differ as listed", async () => {
    const requests = [...pushes(), ...devices(), ...proofs(), ...objects()];
    expect(requests.length).toBeGreaterThan(350);
    // Without Redis, every proof needs the nonce of the service, as designed.
    const differences = await whileShared([replica], () => compare(sides, requests, DIFFERENCES));
    expect(differences).toEqual({ unlisted: [], unused: [] });
  });
});

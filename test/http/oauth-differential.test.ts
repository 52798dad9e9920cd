/**
 * Sends equal requests, valid and malformed, to this provider and to oidc-provider. The responses must agree, or the
 * difference is listed below with the clause of the specification.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deployment } from "../support/deployment.ts";
import {
  basicHeader,
  compare,
  type Differences,
  type EndpointName,
  type Exchange,
  inOwnNetworks,
  mutations,
  ourSide,
  type Parameters,
  type Side,
  startPeer,
} from "../support/differential.ts";
import { CALLBACK, registerClient, type TestClient } from "../support/oauth.ts";
import { type Replica, startReplica } from "../support/replica.ts";

const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

let replica: Replica;
let sides: readonly [Side, Side];
let clients: {
  readonly basic: TestClient;
  readonly post: TestClient;
  readonly open: TestClient;
  readonly robot: TestClient;
};

beforeAll(async () => {
  const at = await deployment();
  const grant_types = ["authorization_code", "refresh_token"];
  clients = {
    basic: await registerClient({ grant_types }),
    post: await registerClient({ grant_types, token_endpoint_auth_method: "client_secret_post" }),
    open: await registerClient({ grant_types, token_endpoint_auth_method: "none" }),
    robot: await registerClient({ grant_types: ["client_credentials"], redirect_uris: [] }),
  };
  // Each request has a network of its own: unknown applications of a network have a bound (G272).
  replica = await startReplica({
    DATABASE_URL: at.databaseUrl,
    SERVICE_TRUSTED_PROXIES: "127.0.0.1",
  });
  sides = [inOwnNetworks(ourSide(replica.url)), await startOther()];
});
afterAll(() => replica.kill());

async function startOther(): Promise<Side> {
  const common = {
    redirect_uris: [CALLBACK],
    response_types: ["code" as const],
    scope: "openid profile email offline_access",
  };
  const codes = { ...common, grant_types: ["authorization_code", "refresh_token"] };
  const { basic, post, open, robot } = clients;
  return await startPeer([
    { ...codes, client_id: basic.id, client_secret: basic.secret, token_endpoint_auth_method: "client_secret_basic" },
    { ...codes, client_id: post.id, client_secret: post.secret, token_endpoint_auth_method: "client_secret_post" },
    { ...codes, client_id: open.id, token_endpoint_auth_method: "none" },
    {
      client_id: robot.id,
      client_secret: robot.secret,
      redirect_uris: [],
      response_types: [],
      grant_types: ["client_credentials"],
    },
  ]);
}

/** A request that is equal at both providers. */
function plain(
  name: string,
  [method, endpoint]: readonly [Exchange["method"], EndpointName],
  parameters: Parameters,
  headers: Record<string, string> = {},
): Exchange {
  return { name, method, endpoint, content: () => ({ parameters, headers }) };
}

function authorizeRequests(): Exchange[] {
  const values = {
    redirect_uri: [
      `${CALLBACK}/x`,
      `${CALLBACK}?x=1`,
      "https://attacker.example.test/",
      "javascript:alert(1)",
      "/callback",
      `${CALLBACK}#x`,
    ],
    client_id: ["unknown", crypto.randomUUID()],
    response_type: ["token", "id_token", "code id_token", "code token", "none", "x"],
    response_mode: ["query", "form_post", "x"],
    scope: ["openid profile email", "openid offline_access", "profile"],
    prompt: ["none", "login", "consent", "none login", "none consent", "x", "login consent"],
    max_age: ["0", "100", "-1", "x", "1.5"],
    code_challenge: ["x", `${CHALLENGE}=`, "x".repeat(128), "x".repeat(129)],
    code_challenge_method: ["plain", "S512", "s256"],
    request: ["x", "e30.e30."],
    request_uri: ["https://attacker.example.test/", "urn:ietf:params:oauth:request_uri:x"],
    registration: ["{}"],
    id_token_hint: ["x", "e30.e30.e30"],
    login_hint: ["ada@example.com"],
    ui_locales: ["de en"],
    acr_values: ["aal2"],
    display: ["page"],
    claims_locales: ["de"],
    unknown: ["x"],
  };
  return (["basic", "open"] as const).flatMap((kind) => {
    const base = {
      client_id: clients[kind].id,
      redirect_uri: CALLBACK,
      response_type: "code",
      scope: "openid",
      state: "s",
      nonce: "n",
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
    };
    return [["good", base] as [string, Parameters], ...mutations(base, values)].map(([name, parameters]) =>
      plain(`authorize, ${kind}: ${name}`, ["GET", "authorize"], parameters),
    );
  });
}

function tokenRequests(): Exchange[] {
  const code = {
    grant_type: "authorization_code",
    code: "x".repeat(43),
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
  };
  const refresh = { grant_type: "refresh_token", refresh_token: "x".repeat(86), scope: "openid" };
  const client = { grant_type: "client_credentials" };
  const authenticated: [string, Parameters, Record<string, string>][] = [
    ["basic", {}, basicHeader(clients.basic)],
    ["post", { client_id: clients.post.id, client_secret: clients.post.secret }, {}],
    ["open", { client_id: clients.open.id }, {}],
  ];
  const grants: [string, Parameters][] = [
    ...mutations(code, {
      code: ["unknown"],
      code_verifier: ["short", "x".repeat(128)],
      grant_type: ["password", "implicit"],
    }),
    ...mutations(refresh, { refresh_token: ["unknown"], grant_type: ["urn:ietf:params:oauth:grant-type:device_code"] }),
  ];
  const wrong: [string, Parameters, Record<string, string>][] = [
    ["no client", {}, {}],
    ["an unknown client", {}, basicHeader({ id: crypto.randomUUID(), secret: "x" })],
    ["a wrong secret", {}, basicHeader({ id: clients.basic.id, secret: "x".repeat(43) })],
    ["no secret", { client_id: clients.basic.id }, {}],
    ["two methods", { client_id: clients.basic.id, client_secret: clients.basic.secret }, basicHeader(clients.basic)],
    ["a secret of a public client", { client_id: clients.open.id, client_secret: "x" }, {}],
    ["another method", { client_id: clients.basic.id, client_secret: clients.basic.secret }, {}],
    ["another client in the form", { client_id: clients.post.id }, basicHeader(clients.basic)],
    ["a malformed header", {}, { authorization: "Basic !!!" }],
    ["another scheme", {}, { authorization: "Digest x" }],
  ];
  const token = (name: string, parameters: Parameters, headers: Record<string, string>) =>
    plain(`token, ${name}`, ["POST", "token"], parameters, headers);
  return [
    ...authenticated.flatMap(([who, fields, headers]) =>
      grants.map(([name, parameters]) => token(`${who}: ${name}`, { ...fields, ...parameters }, headers)),
    ),
    ...wrong.flatMap(([name, fields, headers]) => [
      token(`code, ${name}`, { ...code, ...fields }, headers),
      token(`refresh, ${name}`, { ...refresh, ...fields }, headers),
    ]),
    ...mutations(client, { scope: ["openid"] }).map(([name, fields]) =>
      token(`robot: ${name}`, fields, basicHeader(clients.robot)),
    ),
    token("robot: good", client, basicHeader(clients.robot)),
    token("robot: a code", code, basicHeader(clients.robot)),
    token("basic: client_credentials", client, basicHeader(clients.basic)),
  ];
}

function stateRequests(): Exchange[] {
  const base = { token: "x", token_type_hint: "access_token" };
  const headers: [string, Record<string, string>][] = [
    ["basic", basicHeader(clients.basic)],
    ["a wrong secret", basicHeader({ id: clients.basic.id, secret: "x".repeat(43) })],
    ["nobody", {}],
  ];
  const forms = (["introspect", "revoke"] as const).flatMap((endpoint) =>
    headers.flatMap(([who, header]) =>
      [["good", base] as [string, Parameters], ...mutations(base, { token_type_hint: ["refresh_token", "x"] })].map(
        ([name, parameters]) => plain(`${endpoint}, ${who}: ${name}`, ["POST", endpoint], parameters, header),
      ),
    ),
  );
  const userinfo = [
    {},
    { authorization: "Bearer x" },
    { authorization: "Bearer" },
    { authorization: "Basic x" },
  ].flatMap((header) =>
    (["GET", "POST"] as const).map((method) =>
      plain(
        `userinfo, ${method}: ${JSON.stringify(header)}`,
        [method, "userinfo"],
        {},
        header as Record<string, string>,
      ),
    ),
  );
  return [...forms, ...userinfo];
}

/** Permitted differences of the two providers, with the reason. */
const DIFFERENCES: Differences = [
  [/redirect_uri (missing|empty): page/, "OpenID Connect Core 3.1.2.1: required, also if one is registered"],
  [/redirect_uri twice: page/, "RFC 9700, 4.1: nothing is redirected while it is not known where to"],
  [/response_type #[124]: .*unsupported_response_type/, "RFC 6749, 4.1.2.1: no flow but the code flow is there"],
  [/scope (missing|empty|#2): interaction/, "RFC 6749, 3.3: a request without openid is one of OAuth alone"],
  [/scope in another case: .*invalid_scope/, "RFC 6749, 4.1.2.1: no known scope is left"],
  [/code_challenge #2: .*invalid_request/, "RFC 7636, 4.2: the hash has 43 characters"],
  [/response_mode #2: .*invalid_request/, "RFC 6749, 4.1.2.1: the other's code is not registered"],
  [
    /prompt #0: interaction/,
    "login_required follows after the detour for the refresh cookie (oauth-authorize.test.ts)",
  ],
  [/request_uri #1: page 400.*invalid_request_uri/, "RFC 9126 4: an unknown reference, and a peer without PAR"],
  [
    /(redirect_uri|code_verifier) (missing|empty): 400 invalid_request/,
    "RFC 6749, 5.2: a required parameter is missing",
  ],
  [/scope with a space: interaction, .*invalid_scope/, "clients join lists: extra spaces are ignored"],
  [/scope with a space: 400 invalid_grant/, "the refresh token is looked at first; both are wrong"],
  [/: 401 invalid_client, not 400 invalid_(request|grant)/, "RFC 6749, 5.2: no authentication, or by another method"],
  [/robot: scope #0: 400 invalid_scope/, "RFC 6749, 4.4: a client's own token has no scope of a user"],
  [/: 400 unauthorized_client, not 400 invalid_request/, "RFC 6749, 5.2: a grant that the client may not use"],
  [/twice: 400 invalid_request, not 401 invalid_client/, "RFC 6749, 3.2: the form is read first; both are wrong"],
];

describe("this provider and oidc-provider", () => {
  test("agree about more than three hundred requests, or differ as listed", async () => {
    const requests = [...authorizeRequests(), ...tokenRequests(), ...stateRequests()];
    expect(requests.length).toBeGreaterThan(300);
    expect(await compare(sides, requests, DIFFERENCES)).toEqual({ unlisted: [], unused: [] });
  });
});

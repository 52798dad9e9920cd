/**
 * Programs of other people as clients of PAR, DPoP, JAR, JARM, the device flow and dynamic registration: openid-client,
 * oauth4webapi, oidc-agent and Authlib. `npm run test:clients` runs the journeys, with mod_auth_openidc of
 * test/guides/reverse-proxy.ts, and installs the packages of Debian.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair } from "jose";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { ApplicationBrowser } from "../support/application-browser.ts";
import type { Client } from "../support/client.ts";
import { namedUser, USER_NAME } from "../support/guide-programs.ts";
import { registerClient } from "../support/oauth.ts";
import { installDebianPackages } from "../support/packages.ts";
import { type PageSite, startSite } from "../support/pages.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { Terminal } from "../support/terminal.ts";

const INSTALL_DEADLINE_MS = 600_000;
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const SCOPE = "openid profile email offline_access";
/** Debian's Python has the packages of Debian. */
const PYTHON = "/usr/bin/python3";

let site: PageSite;
let admin: Client;
let callback: string;
let application: ReturnType<typeof Bun.serve>;
const folder = mkdtempSync(join(tmpdir(), "identity-oauth-"));

beforeAll(async () => {
  installDebianPackages("oidc-agent-cli python3-authlib python3-requests");
  site = await startSite({ SERVICE_OAUTH_REGISTRATION: "open" });
  admin = (await steppedUpAdmin(site, "owner")).client;
  application = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("done") });
  callback = `http://127.0.0.1:${application.port}/callback`;
}, INSTALL_DEADLINE_MS);
afterAll(async () => {
  await application.stop(true);
  await site.one.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The user signs in, allows the access, and the browser ends at the application. */
async function followedBy(person: Awaited<ReturnType<typeof namedUser>>, url: URL): Promise<URL> {
  const page = await new ApplicationBrowser(site.origin, person.browser).open(url.href);
  expect(page.url).toStartWith(callback);
  return new URL(page.url);
}

/** The user approves the device with this code. */
async function approve({ client }: { readonly client: Client }, userCode: string): Promise<void> {
  const { body } = await client.post("/v1/auth/device", { user_code: userCode });
  expect((await client.post(`/v1/auth/device/${body.id}/approve`)).status).toBe(204);
}

describe("openid-client", () => {
  test("registers itself, pushes a signed request, and reads a signed response, with DPoP everywhere", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: "one", use: "sig", alg: "ES256" };
    const config = await openid.dynamicClientRegistration(
      new URL(site.origin),
      {
        client_name: "Notes",
        redirect_uris: [callback],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "private_key_jwt",
        jwks: { keys: [jwk] },
        scope: SCOPE,
      } as never,
      openid.PrivateKeyJwt({ key: privateKey, kid: "one" }),
      { execute: [openid.allowInsecureRequests] },
    );
    openid.useJwtResponseMode(config);
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair("ES256"));
    const person = await namedUser(site);
    const [pkceCodeVerifier, expectedState, expectedNonce] = [
      openid.randomPKCECodeVerifier(),
      openid.randomState(),
      openid.randomNonce(),
    ];
    const signed = await openid.buildAuthorizationUrlWithJAR(
      config,
      {
        redirect_uri: callback,
        scope: SCOPE,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
        state: expectedState,
        nonce: expectedNonce,
      },
      { key: privateKey, kid: "one" },
    );
    const pushed = await openid.buildAuthorizationUrlWithPAR(config, signed.searchParams, { DPoP });
    expect([...pushed.searchParams.keys()].toSorted()).toEqual(["client_id", "request_uri"]);
    const back = await followedBy(person, pushed);
    expect([...back.searchParams.keys()]).toEqual(["response"]);
    const checks = { pkceCodeVerifier, expectedState, expectedNonce };
    const tokens = await openid.authorizationCodeGrant(config, back, checks, undefined, { DPoP });
    expect([tokens.token_type, tokens.claims()?.sub]).toEqual(["dpop", person.userId]);
    const info = await openid.fetchUserInfo(config, tokens.access_token, person.userId, { DPoP });
    expect([info.name, info.email]).toEqual([USER_NAME, person.email]);
    const refreshed = await openid.refreshTokenGrant(config, String(tokens.refresh_token), undefined, { DPoP });
    expect((await openid.tokenIntrospection(config, refreshed.access_token)).active).toBe(true);
    await openid.tokenRevocation(config, String(refreshed.refresh_token));
    expect((await openid.tokenIntrospection(config, refreshed.access_token)).active).toBe(false);
  });

  test("signs a device in with DPoP", async () => {
    const { id } = await registerClient(
      { token_endpoint_auth_method: "none", grant_types: [DEVICE_GRANT, "refresh_token"], redirect_uris: [] },
      admin,
    );
    const execute = [openid.allowInsecureRequests];
    const config = await openid.discovery(new URL(site.origin), id, undefined, openid.None(), { execute });
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair("ES256"));
    const codes = await openid.initiateDeviceAuthorization(config, { scope: "openid email" });
    const person = await namedUser(site);
    await approve(person, codes.user_code);
    const tokens = await openid.pollDeviceAuthorizationGrant(config, codes, undefined, { DPoP });
    expect([tokens.token_type, tokens.claims()?.sub]).toEqual(["dpop", person.userId]);
  });
});

describe("oauth4webapi", () => {
  const insecure = { [oauth.allowInsecureRequests]: true };

  async function discovered(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(site.origin);
    return await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  }

  test("registers itself, pushes a request with DPoP, and manages the tokens", async () => {
    const as = await discovered();
    const metadata = {
      client_name: "Notes",
      redirect_uris: [callback],
      grant_types: ["authorization_code", "refresh_token"],
    };
    const registered = await oauth.dynamicClientRegistrationRequest(
      as,
      { ...metadata, scope: SCOPE } as never,
      insecure,
    );
    const client = (await oauth.processDynamicClientRegistrationResponse(registered)) as oauth.Client;
    const authentication = oauth.ClientSecretBasic(String(client.client_secret));
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair("ES256"));
    const verifier = oauth.generateRandomCodeVerifier();
    const parameters = {
      redirect_uri: callback,
      response_type: "code",
      scope: SCOPE,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state: "the state",
    };
    const push = await oauth.pushedAuthorizationRequest(as, client, authentication, parameters, { ...insecure, DPoP });
    const { request_uri } = await oauth.processPushedAuthorizationResponse(as, client, push);
    const url = new URL(String(as.authorization_endpoint));
    url.search = String(new URLSearchParams({ client_id: client.client_id, request_uri }));
    const person = await namedUser(site);
    const response = oauth.validateAuthResponse(as, client, await followedBy(person, url), "the state");
    const options = { ...insecure, DPoP };
    const exchanged = await oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(as, client, authentication, response, callback, verifier, options),
    );
    expect(exchanged.token_type).toBe("dpop");
    const info = await oauth.processUserInfoResponse(
      as,
      client,
      person.userId,
      await oauth.userInfoRequest(as, client, exchanged.access_token, options),
    );
    expect(info.name).toBe(USER_NAME);
    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, authentication, String(exchanged.refresh_token), options),
    );
    const stateOf = async () =>
      (
        await oauth.processIntrospectionResponse(
          as,
          client,
          await oauth.introspectionRequest(as, client, authentication, refreshed.access_token, insecure),
        )
      ).active;
    expect(await stateOf()).toBe(true);
    const revoked = await oauth.revocationRequest(
      as,
      client,
      authentication,
      String(refreshed.refresh_token),
      insecure,
    );
    await oauth.processRevocationResponse(revoked);
    expect(await stateOf()).toBe(false);
  });

  test("reads the error of a public client as an OAuth error, because no challenge asks for a password", async () => {
    const as = await discovered();
    const unknown = { client_id: crypto.randomUUID() };
    const response = await oauth.refreshTokenGrantRequest(as, unknown, oauth.None(), "x", insecure);
    const failure = await oauth.processRefreshTokenResponse(as, unknown, response).catch((error) => error);
    expect(failure).toBeInstanceOf(oauth.ResponseBodyError);
    expect([failure.error, failure.status]).toEqual(["invalid_client", 401]);
  });
});

describe("oidc-agent", () => {
  /** A terminal with a running agent; the agent ends with the terminal. */
  async function startAgent(): Promise<Terminal> {
    const home = mkdtempSync(join(folder, "home-"));
    const terminal = new Terminal(folder, { HOME: home, TMPDIR: home });
    await terminal.enter(`umask 077; openssl rand -base64 32 > ${home}/password; trap 'oidc-agent --kill' EXIT`);
    expect(await terminal.enter('eval "$(oidc-agent --quiet)"')).toMatchObject({ code: 0 });
    return terminal;
  }

  const generate = (name: string, more: string) =>
    `oidc-gen ${name} --issuer ${site.origin} --scope "${SCOPE}" --no-url-call --pw-file="$HOME/password" ${more}`;

  /** The user approves the code that the terminal prints; afterwards the agent gives tokens of the user. */
  async function signInByDevice(terminal: Terminal, name: string, more: string): Promise<void> {
    const person = await namedUser(site);
    const { printed, finished } = terminal.start(generate(name, `--flow=device ${more}`));
    const [code = ""] = await printed(/\b[B-Z]{4}-[B-Z]{4}\b/);
    await approve(person, code);
    expect((await finished).output).toContain("Everything setup correctly!");
    const user = `curl -s ${site.origin}/oauth2/userinfo -H "Authorization: Bearer $(oidc-token ${name})"`;
    const info = JSON.parse((await terminal.enter(user)).output);
    expect(info).toMatchObject({ sub: person.userId, email: person.email });
    expect((await terminal.enter(`oidc-token --force-new ${name}`)).code).toBe(0);
  }

  test("signs in by the device flow", async () => {
    const { id } = await registerClient(
      {
        token_endpoint_auth_method: "none",
        grant_types: [DEVICE_GRANT, "refresh_token"],
        redirect_uris: [],
        scopes: SCOPE.split(" "),
        first_party: false,
      },
      admin,
    );
    const terminal = await startAgent();
    await signInByDevice(terminal, "device", `--manual --client-id ${id} --client-secret ""`);
    await terminal.close();
  });

  test("registers itself and signs in by the device flow", async () => {
    const terminal = await startAgent();
    await signInByDevice(terminal, "registered", "");
    await terminal.close();
    const rows = await site.sql`select 1 from oauth_clients where kind = 'dynamic' and name like 'oidc-agent%'`;
    expect(rows.length).toBeGreaterThan(0);
  });
});

describe("Authlib", () => {
  const PROGRAM = `
import json, sys, time
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oidc.core import CodeIDToken
from authlib.jose import JsonWebKey, jwt
import requests

class ShortAssertion(PrivateKeyJWT):
    """Assertions of Authlib live an hour by default; this service accepts five minutes."""
    def sign(self, auth, token_endpoint):
        self.claims = {"exp": int(time.time()) + 240}
        return super().sign(auth, token_endpoint)

issuer, callback, client_id, key = sys.argv[1:5]
metadata = requests.get(issuer + "/.well-known/openid-configuration").json()
assertion = ShortAssertion(metadata["token_endpoint"], alg="ES256")
session = OAuth2Session(client_id, JsonWebKey.import_key(json.loads(key)), scope="${SCOPE}", redirect_uri=callback,
                        token_endpoint_auth_method=assertion, revocation_endpoint_auth_method=assertion,
                        code_challenge_method="S256")
verifier = "v" * 64
url, state = session.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier, nonce="n")
print(url, flush=True)
response = sys.stdin.readline().strip()
endpoint = metadata["token_endpoint"]
tokens = session.fetch_token(endpoint, authorization_response=response, code_verifier=verifier, state=state)
keys = JsonWebKey.import_key_set(requests.get(metadata["jwks_uri"]).json())
claims = jwt.decode(tokens["id_token"], keys, claims_cls=CodeIDToken,
                    claims_options={"iss": {"value": issuer}, "aud": {"value": client_id}},
                    claims_params={"nonce": "n"})
claims.validate()
user = session.get(metadata["userinfo_endpoint"]).json()
refreshed = session.refresh_token(endpoint)
active = session.introspect_token(metadata["introspection_endpoint"], token=refreshed["access_token"]).json()["active"]
session.revoke_token(metadata["revocation_endpoint"], token=refreshed["refresh_token"])
ended = session.introspect_token(metadata["introspection_endpoint"], token=refreshed["access_token"]).json()["active"]
print(json.dumps([claims["sub"], claims.header["alg"], user["name"], active, ended]), flush=True)
`;

  test.each(["RS256", "ES256"])(
    "signs in with private_key_jwt and PKCE, and verifies the ID token by %s",
    async (alg) => {
      const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
      const client = await registerClient(
        {
          token_endpoint_auth_method: "private_key_jwt",
          keys: [await exportJWK(publicKey)],
          redirect_uris: [callback],
          scopes: SCOPE.split(" "),
          resources: [],
          first_party: false,
          id_token_signed_response_alg: alg,
        },
        admin,
      );
      writeFileSync(join(folder, "authlib_client.py"), PROGRAM);
      const key = JSON.stringify(await exportJWK(privateKey));
      const program = Bun.spawn([PYTHON, "authlib_client.py", site.origin, callback, client.id, key], {
        cwd: folder,
        env: { ...process.env, AUTHLIB_INSECURE_TRANSPORT: "1" },
        stdin: "pipe",
        stdout: "pipe",
        stderr: "inherit",
      });
      const reader = program.stdout.getReader();
      let pending = "";
      const line = async () => {
        while (!pending.includes("\n")) {
          const { value, done } = await reader.read();
          if (done) throw new Error(`the program ended: ${pending}`);
          pending += new TextDecoder().decode(value);
        }
        const [first = "", ...rest] = pending.split("\n");
        pending = rest.join("\n");
        return first;
      };
      const person = await namedUser(site);
      program.stdin.write(`${(await followedBy(person, new URL(await line()))).href}\n`);
      program.stdin.flush();
      expect(JSON.parse(await line())).toEqual([person.userId, alg, USER_NAME, true, false]);
      expect(await program.exited).toBe(0);
    },
  );
});

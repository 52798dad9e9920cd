/**
 * Programs of products with the configuration of their presets (docs/contract.md, section 23.35): GitLab's strategy,
 * kubectl, the library of kube-apiserver, and openid-client as in Immich. `npm run test:clients` runs the journeys and
 * installs the packages of Debian.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as openid from "openid-client";
import { freePort } from "../../db/embedded.ts";
import { ApplicationBrowser } from "../support/application-browser.ts";
import { testCertificate } from "../support/certificate.ts";
import { addGroups } from "../support/claims.ts";
import type { Client } from "../support/client.ts";
import { namedUser, startProgram, stopGuidePrograms, USER_NAME, untilListening } from "../support/guide-programs.ts";
import { makePkce, sendForm } from "../support/oauth.ts";
import { findProgram, installDebianPackages, unpackDebianPackages } from "../support/packages.ts";
import { type PageSite, startSite } from "../support/pages.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { verifyAddress } from "../support/states.ts";

const INSTALL_DEADLINE_MS = 600_000;
const PROGRAMS = join(import.meta.dir, "products");
const PACKAGES =
  "ruby-omniauth-openid-connect ruby-webrick golang-go golang-github-coreos-go-oidc-dev golang-golang-x-oauth2-dev";
const GO_PATH = "/usr/share/gocode";
const GROUPS = ["immich-admins", "kubernetes-admins"];

let site: PageSite;
let admin: Client;
let person: Awaited<ReturnType<typeof namedUser>>;
let kubectl: string;
const folder = mkdtempSync(join(tmpdir(), "identity-products-"));

beforeAll(async () => {
  installDebianPackages(PACKAGES);
  const unpacked = join(tmpdir(), "identity-kubectl");
  unpackDebianPackages("kubernetes-client", unpacked);
  kubectl = join(unpacked, "root/usr/bin/kubectl");
  site = await startSite();
  admin = (await steppedUpAdmin(site, "owner")).client;
  person = await namedUser(site);
  await verifyAddress(site.sql, person.userId);
  await addGroups(site, person, person.userId, GROUPS);
}, INSTALL_DEADLINE_MS);
afterAll(async () => {
  stopGuidePrograms();
  await site?.one.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The product by its preset, for the organization of the user. Members beside the preset name addresses of a test. */
async function connect(preset: string, inputs: Record<string, string>, members: object = {}) {
  const body = { preset, inputs: { ...inputs, organization_id: person.organizationId }, first_party: true, ...members };
  const made = await admin.post("/v1/admin/oauth-clients", body);
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  const { client_id: id, client_secret: secret = "", setup } = made.body;
  return {
    id: String(id),
    secret: String(secret),
    configuration: String(setup.text).replaceAll("<client secret>", secret),
  };
}

describe("programs read the claims of their presets (G388)", () => {
  test("GitLab's strategy signs in with the text of the preset, and reads groups, nickname and sub.", async () => {
    const port = await freePort();
    const home = `http://127.0.0.1:${port}`;
    const url = "https://gitlab.example.test";
    const redirect_uris = [`${home}/users/auth/openid_connect/callback`];
    // The strategy of Debian is from before PKCE and sends a nonce.
    const { configuration } = await connect("gitlab", { url }, { redirect_uris, require_pkce: false });
    const file = join(folder, "gitlab.rb");
    writeFileSync(file, configuration.replaceAll(url, home));
    startProgram(["ruby", join(PROGRAMS, "gitlab.rb")], folder, { PORT: String(port), CONFIGURATION: file });
    await untilListening(home);
    const page = await new ApplicationBrowser(site.origin, person.browser).open(`${home}/users/auth/openid_connect`);
    expect(JSON.parse(page.text)).toMatchObject({
      uid: person.userId,
      info: { email: person.email, name: USER_NAME, nickname: person.email },
      groups: GROUPS,
    });
  }, 120_000);

  test("Immich's library finds the issuer by the text of the preset, and reads the role.", async () => {
    const url = "https://photos.example.test";
    const { configuration } = await connect("immich", { url });
    const { oauth } = JSON.parse(configuration);
    const config = await openid.discovery(
      new URL(oauth.issuerUrl),
      oauth.clientId,
      undefined,
      openid.ClientSecretBasic(oauth.clientSecret),
      { execute: [openid.allowInsecureRequests] },
    );
    const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const redirect_uri = `${url}/auth/login`;
    const asked = openid.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: oauth.scope,
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    const { location } = await person.browser.follow(`${asked.pathname}${asked.search}`);
    expect(location?.href).toStartWith(redirect_uri);
    const tokens = await openid.authorizationCodeGrant(config, location ?? asked, { pkceCodeVerifier, expectedState });
    const info = await openid.fetchUserInfo(config, tokens.access_token, openid.skipSubjectCheck);
    expect({ ...tokens.claims(), ...info }).toMatchObject({
      email: person.email,
      [oauth.storageLabelClaim]: person.email,
      [oauth.roleClaim]: "admin",
    });
  });
});

/** Tokens as kubelogin requests tokens: PKCE, a loopback address, and offline access. */
async function kubernetesTokens(id: string) {
  const pkce = makePkce();
  const redirect_uri = "http://localhost:8000";
  const asks = {
    ...{ response_type: "code", client_id: id, redirect_uri, scope: "email profile groups openid offline_access" },
    ...{ state: "st", nonce: "n-0S6_WzA2Mj", code_challenge: pkce.challenge, code_challenge_method: "S256" },
  };
  const { location } = await person.browser.follow(`/oauth2/authorize?${new URLSearchParams(asks)}`);
  const code = location?.searchParams.get("code") ?? "";
  const exchange = {
    grant_type: "authorization_code",
    code,
    redirect_uri,
    client_id: id,
    code_verifier: pkce.verifier,
  };
  const { status, body } = await sendForm(site.origin, "/oauth2/token", exchange);
  expect(status).toBe(200);
  return { idToken: String(body.id_token), refreshToken: String(body.refresh_token) };
}

describe("Kubernetes (G388)", () => {
  /** The user of a token by the flags that the preset prints. */
  async function userOf(configuration: string, token: string) {
    const program = join(folder, "kube-apiserver");
    const env = {
      ...process.env,
      GO111MODULE: "off",
      GOPATH: GO_PATH,
      GOFLAGS: "",
      GOCACHE: join(tmpdir(), "identity-go"),
    };
    const source = join(PROGRAMS, "kube-apiserver.go");
    if (!(await Bun.file(program).exists())) {
      expect(await Bun.spawn([findProgram("go"), "build", "-o", program, source], { env }).exited).toBe(0);
    }
    const flags = [...configuration.matchAll(/--oidc-(?!extra-scope)[a-z-]+=\S+/g)].map(([flag]) => flag);
    const verified = Bun.spawn([program, ...new Set(flags), token], { stderr: "pipe" });
    const [output, problem] = [await new Response(verified.stdout).text(), await new Response(verified.stderr).text()];
    return output === "" ? { problem } : JSON.parse(output);
  }

  test("The library of kube-apiserver reads user and groups by the flags, and refuses another client.", async () => {
    const { id, configuration } = await connect("kubernetes", {});
    const { idToken } = await kubernetesTokens(id);
    expect(await userOf(configuration, idToken)).toEqual({
      username: `oidc:${person.userId}`,
      groups: GROUPS.map((name) => `oidc:${name}`),
    });
    const other = await connect("kubernetes", {});
    expect((await userOf(other.configuration, idToken)).problem).toContain("audience");
  }, 120_000);

  // Debian's kubectl 1.20 ends with a fault of its JSON library when kubectl stores a renewed token.
  test("kubectl sends the ID token to a cluster, which reads the groups.", async () => {
    const { id, configuration } = await connect("kubernetes", {});
    const { idToken, refreshToken } = await kubernetesTokens(id);
    const { cert, file, key } = testCertificate();
    const cluster = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      tls: { cert, key },
      async fetch({ headers }) {
        return Response.json(await userOf(configuration, headers.get("authorization")?.replace(/^Bearer /, "") ?? ""));
      },
    });
    try {
      const settings = { "idp-issuer-url": site.origin, "client-id": id };
      const provider = { name: "oidc", config: { ...settings, "id-token": idToken, "refresh-token": refreshToken } };
      const config = {
        ...{ apiVersion: "v1", kind: "Config", "current-context": "here" },
        clusters: [
          { name: "here", cluster: { server: `https://127.0.0.1:${cluster.port}`, "certificate-authority": file } },
        ],
        users: [{ name: "ada", user: { "auth-provider": provider } }],
        contexts: [{ name: "here", context: { cluster: "here", user: "ada" } }],
      };
      const path = join(folder, "kubeconfig");
      writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
      const run = Bun.spawn([kubectl, "get", "--raw", "/whoami"], {
        env: { PATH: process.env.PATH ?? "", HOME: folder, KUBECONFIG: path },
        stderr: "inherit",
      });
      expect(JSON.parse(await new Response(run.stdout).text())).toEqual({
        username: `oidc:${person.userId}`,
        groups: GROUPS.map((name) => `oidc:${name}`),
      });
    } finally {
      await cluster.stop(true);
    }
  }, 120_000);
});

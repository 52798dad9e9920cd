/** The presets of trusts with recorded claims of the issuers (docs/contract.md, section 35.11). */
import { beforeAll, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import {
  presetOfIssuer,
  TRUST_PRESET_NAMES,
  trustOfPreset,
  trustPreset,
  trustSetupOf,
} from "../../src/flows/service-accounts/trust-presets.ts";
import { testCertificate } from "../support/certificate.ts";
import { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { ForgedProvider } from "../support/identity/forged-provider.ts";
import { sendForm } from "../support/oauth.ts";
import { ISSUER } from "../support/replica.ts";
import { accountsOf, steppedUpOwner } from "../support/service-accounts.ts";
import { eventually } from "../support/waiting.ts";
import { RECORDED } from "../support/workload-claims.ts";

const REFUSED_WITHIN_MS = 1_000;
const TYPES = "urn:ietf:params:oauth:client-assertion-type:";

let at: Deployment;
let owner: Awaited<ReturnType<typeof steppedUpOwner>>;
let accounts: string;
beforeAll(async () => {
  at = await deployment();
  owner = await steppedUpOwner(at);
  accounts = accountsOf(owner.organizationId);
});

const PRODUCTS = TRUST_PRESET_NAMES.filter((name) => name !== "other");
const now = (offset = 0) => Math.floor(Date.now() / 1000) + offset;

/** The members of POST for a preset. */
function membersOf(name: (typeof TRUST_PRESET_NAMES)[number], inputs: Readonly<Record<string, string>>) {
  const settings = trustOfPreset(trustPreset(name), inputs);
  if (!settings.ok) throw new Error(`${name}: ${settings.error.message}`);
  const { jwksUri, tokenSeconds, maxAgeSeconds, singleUse, ...rest } = settings.value;
  return {
    ...rest,
    ...(jwksUri ? { jwks_uri: jwksUri } : {}),
    token_seconds: tokenSeconds,
    max_age_seconds: maxAgeSeconds,
    single_use: singleUse,
    name: trustPreset(name).name,
    scopes: ["members.list"],
  };
}

async function addTrust(members: object) {
  const account = await owner.client.post(accounts, { name: "Pipeline" });
  const path = `${accounts}/${account.body.id}/trusts`;
  const made = await owner.client.post(path, members);
  return { accountId: String(account.body.id), path: `${path}/${made.body.id}`, made };
}

function exchange(accountId: string, assertion: string, type = "jwt-bearer") {
  const credentials = { client_id: accountId, client_assertion_type: TYPES + type, client_assertion: assertion };
  return sendForm(at.one.url, "/oauth2/token", { grant_type: "client_credentials", ...credentials });
}

const members = (token: string, url: string) =>
  new Client(url).request("GET", `/v1/orgs/${owner.organizationId}/members`, { bearer: token });

test.each(PRODUCTS)(
  "The preset %s admits the recorded workload and no other, until the trust ends (G555).",
  async (name) => {
    const { inputs, claims, foreign } = RECORDED[name];
    const isSpiffe = name === "spiffe";
    const issuer = new ForgedProvider(testCertificate());
    const keyPair = await generateKeyPair("ES256");
    const jwk = { ...(await exportJWK(keyPair.publicKey)), kid: "svid", use: "jwt-svid" };
    const own = isSpiffe ? { keys: JSON.stringify({ keys: [jwk] }) } : { issuer: issuer.url };
    const settings = membersOf(name, { ...inputs, ...own });
    const { accountId, path, made } = await addTrust(settings);
    expect([made.status, made.text.includes("{{")]).toEqual([201, false]);
    const sign = async (more: JWTPayload = {}) => {
      const times = { iat: now(), exp: now(300), ...(settings.single_use ? { jti: crypto.randomUUID() } : {}) };
      const all = { aud: ISSUER, ...claims, ...times, ...more };
      if (!isSpiffe) return await issuer.sign({ iss: issuer.url, ...all });
      return await new SignJWT(all).setProtectedHeader({ alg: "ES256", kid: "svid" }).sign(keyPair.privateKey);
    };
    const type = isSpiffe ? "jwt-spiffe" : "jwt-bearer";
    for (const changed of [...foreign, { aud: "https://elsewhere.example.com" }]) {
      const refused = await exchange(accountId, await sign(changed), type);
      expect([changed, refused.status, refused.body.error]).toEqual([changed, 401, "invalid_client"]);
    }
    const assertion = await sign();
    const issued = await exchange(accountId, assertion, type);
    expect([issued.status, issued.body.expires_in]).toEqual([200, settings.token_seconds]);
    // Platforms without `jti` serve one token to a workload until the token expires.
    expect((await exchange(accountId, assertion, type)).status).toBe(settings.single_use ? 401 : 200);
    const urls = [at.one.url, at.other.url];
    for (const url of urls) expect((await members(issued.body.access_token, url)).status).toBe(200);
    expect((await owner.client.delete(path)).status).toBe(204);
    await eventually("both replicas refuse the token", REFUSED_WITHIN_MS, async () => {
      const all = await Promise.all(urls.map((url) => members(issued.body.access_token, url)));
      return all.every(({ status }) => status === 401);
    });
    expect((await exchange(accountId, await sign(), type)).status).toBe(401);
  },
);

test("The issuers of presets meet the rules of shared issuers; the setup has no placeholder (G555).", async () => {
  for (const name of PRODUCTS) {
    const { keys: _keys, ...inputs } = RECORDED[name].inputs as Record<string, string>;
    const example = trustPreset(name).inputs.find((input) => input.name === "issuer")?.example;
    const jwk = { kty: "OKP", kid: "1", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" };
    const own = name === "spiffe" ? { keys: JSON.stringify([jwk]) } : example ? { issuer: example } : {};
    const { made } = await addTrust(membersOf(name, { ...inputs, ...own }));
    expect([name, made.status]).toEqual([name, 201]);
    if (name !== "kubernetes" && name !== "aws") expect(presetOfIssuer(made.body.issuer)).toBe(name);
    const values = { tokenUrl: `${ISSUER}/oauth2/token`, clientId: made.body.service_account_id, audience: ISSUER };
    expect(trustSetupOf(trustPreset(name), values)).not.toContain("{{");
  }
  const issuers = ["https://gitlab.com.evil.example", "https://token.actions.githubusercontent.com.evil.example"];
  expect(issuers.map(presetOfIssuer)).toEqual(["other", "other"]);
});

test("Clocks, bundles and claims of the issuers as in reports about peers are accepted (G555).", async () => {
  const { claims, inputs } = RECORDED.github;
  const issuer = new ForgedProvider(testCertificate());
  const { accountId } = await addTrust(membersOf("github", { ...inputs, issuer: issuer.url }));
  const sign = (more: JWTPayload) =>
    issuer.sign({ iss: issuer.url, aud: ISSUER, ...claims, jti: crypto.randomUUID(), exp: now(300), ...more });
  // GitHub's clock runs ahead of the verifier by seconds, and `nbf` is ten minutes before `iat`.
  for (const times of [{ iat: now(4), nbf: now(4) }, { iat: now(), nbf: now(-600) }, { iat: now(-590) }]) {
    expect([times, (await exchange(accountId, await sign(times))).status]).toEqual([times, 200]);
  }
  for (const times of [{ iat: now(30) }, { iat: now(), nbf: now(30) }, { iat: now(), exp: now(-10) }]) {
    expect([times, (await exchange(accountId, await sign(times))).status]).toEqual([times, 401]);
  }
  // An issuer with a slash at the end, as of AKS, and `aud` as a list, as of Kubernetes.
  const slashed = new ForgedProvider(testCertificate());
  const withSlash = `${slashed.url}/`;
  slashed.metadata = { issuer: withSlash };
  const cluster = RECORDED.kubernetes;
  const ofCluster = await addTrust(membersOf("kubernetes", { ...cluster.inputs, issuer: withSlash }));
  const signSlashed = (iss: string) =>
    slashed.sign({ aud: [ISSUER], ...cluster.claims, iss, iat: now(-3_000), exp: now(600) });
  expect((await exchange(ofCluster.accountId, await signSlashed(withSlash))).status).toBe(200);
  expect((await exchange(ofCluster.accountId, await signSlashed(slashed.url))).status).toBe(401);
  // A bundle of a trust domain has certificates beside the keys, without an id.
  const { publicKey } = await generateKeyPair("ES256");
  const jwk = await exportJWK(publicKey);
  const bundle = {
    keys: [
      { ...jwk, use: "x509-svid", x5c: ["MII"] },
      { ...jwk, use: "jwt-svid", kid: "1" },
    ],
  };
  const sequence = { spiffe_sequence: 12, spiffe_refresh_hint: 600 };
  const keys = JSON.stringify({ ...bundle, ...sequence });
  const ofDomain = membersOf("spiffe", { ...RECORDED.spiffe.inputs, keys });
  expect(ofDomain.keys?.map(({ kid }) => kid)).toEqual(["1"]);
  expect((await addTrust(ofDomain)).made.status).toBe(201);
  // Texts and booleans of GitLab differ: `ref_protected` is the text "true".
  const gitlab = await addTrust({
    ...membersOf("gitlab", { ...RECORDED.gitlab.inputs, issuer: issuer.url }),
    conditions: [
      { claim: "ref_protected", equals: "true" },
      { claim: "runner_id", equals: 1 },
    ],
  });
  const job = { iss: issuer.url, aud: ISSUER, ...RECORDED.gitlab.claims, iat: now(), exp: now(300) };
  for (const [changed, status] of [
    [{ ref_protected: true }, 401],
    [{ runner_id: "1" }, 401],
    [{}, 200],
  ] as const) {
    const assertion = await issuer.sign({ ...job, ...changed, jti: crypto.randomUUID() });
    expect([changed, (await exchange(gitlab.accountId, assertion)).status]).toEqual([changed, status]);
  }
});

test("Wrong inputs of a preset are refused by name, a shared issuer without an id by the rules (G555).", async () => {
  const wrong = (name: (typeof TRUST_PRESET_NAMES)[number], inputs: Record<string, string>) => {
    const read = trustOfPreset(trustPreset(name), inputs);
    return read.ok ? [] : (read.error.fields ?? []).map(({ field }) => field);
  };
  const github = RECORDED.github.inputs;
  expect(wrong("github", {})).toEqual(["repository_id"]);
  for (const repository_id of ["acme/app", "*", "1 OR 1", "1\n2", "-1"]) {
    expect([repository_id, wrong("github", { ...github, repository_id })]).toEqual([repository_id, ["repository_id"]]);
  }
  for (const ref of ["main", "refs/heads/*", "refs/heads/a b"])
    expect(wrong("github", { ...github, ref })).toEqual(["ref"]);
  expect(wrong("kubernetes", { issuer: "https://k.test", namespace: "a:b", service_account: "x" })).toEqual([
    "namespace",
  ]);
  expect(wrong("aws", { issuer: "https://a.test", principal_arn: "arn:aws:iam::1:root" })).toEqual(["principal_arn"]);
  for (const keys of [
    "x",
    "{}",
    '{"keys":[]}',
    '[{"kty":"RSA"}]',
    JSON.stringify(Array(9).fill({ kty: "EC", kid: "1" })),
  ]) {
    expect([keys, wrong("spiffe", { ...RECORDED.spiffe.inputs, keys })]).toEqual([keys, ["keys"]]);
  }
  for (const conditions of [
    "",
    "x",
    "{}",
    "[]",
    '[{"claim":"a"}]',
    '[{"claim":"a","equals":"b","one_of":["c"]}]',
    "[1]",
  ]) {
    expect([conditions, wrong("other", { issuer: "https://a.test", conditions })]).toEqual([
      conditions,
      ["conditions"],
    ]);
  }
  const conditions = '[{"claim":"repository","equals":"octo-org/octo-repo"}]';
  const { made } = await addTrust(
    membersOf("other", { issuer: "https://token.actions.githubusercontent.com", conditions }),
  );
  expect([made.status, made.text.includes("repository_id")]).toEqual([400, true]);
});

/**
 * The fields with URLs from third parties (docs/contract.md, section 2.13; G340). A member of a request and a
 * column whose name says URL fails until the tables have a reader, and every reader refuses the hostile URLs.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { getTableColumns, getTableName } from "drizzle-orm";
import { validateBrand } from "../../src/flows/brand/validate-brand.ts";
import { validateClient } from "../../src/flows/oauth/clients/client-rules.ts";
import { readDocumentUrl, readLogoUri } from "../../src/flows/oauth/documents/read-document.ts";
import { resourceFlaws } from "../../src/flows/oauth/resources/resource-rules.ts";
import { isOrigin } from "../../src/flows/service-accounts/keys.ts";
import { trustFlaws } from "../../src/flows/service-accounts/trust-rules.ts";
import { validateConfig } from "../../src/flows/sso/connections/config-rules.ts";
import { socialConfigFlaws } from "../../src/models/social-provider/config-rules.ts";
import { completeSocialConfig } from "../../src/models/social-provider/presets.ts";
import { targetUrlFlaw } from "../../src/providers/guarded-post.ts";
import { initialConfig } from "../../src/vocabulary/sso/protocol-config.ts";
import { declaredTables } from "../support/declared-tables.ts";
import { deployment } from "../support/deployment.ts";

const HOSTILE = [
  "https://x;frame-ancestors/",
  "https://x$'/",
  "https://a,b.test/",
  "https://*.test/",
  "https://app.test./",
  "https://accounts.google.com@evil.test/",
  "https://app.test\\@evil.test/",
  "https://app.test/\u202E",
];
const REACH = { allows: () => false, loopback: false };
const REDIRECT = "https://app.test/callback";

type Reader = (url: string) => boolean;

const client =
  (member: string): Reader =>
  (url) => {
    const lists = ["redirectUris", "postLogoutRedirectUris", "resources", "audiences"];
    const keys = { jwksUri: "https://app.test/keys.json" };
    const given = { ...CLIENT, ...keys, [member]: lists.includes(member) ? [url] : url };
    return validateClient(given as never).ok;
  };
const CLIENT = {
  name: "Wiki",
  applicationType: "web",
  tokenAuthMethod: "client_secret_basic",
  grantTypes: ["authorization_code"],
  redirectUris: [REDIRECT],
  postLogoutRedirectUris: [],
  resources: [],
  audiences: [],
  scopes: ["openid"],
  keys: [],
  exchanges: [],
  claimMappings: [],
  organizations: null,
  preset: null,
  presetInputs: null,
  logoUrl: null,
  policyUri: null,
  tosUri: null,
  clientUri: null,
  jwksUri: null,
  backchannelLogoutUri: null,
  sector: null,
  subjectType: "public",
  requirePkce: true,
  requireNonceOrPkce: true,
  refreshRepeatSeconds: 10,
  refreshTokenRotation: true,
  requireSignedRequestObject: true,
  profile: "none",
  kind: "registered",
  firstParty: false,
};
const brand =
  (member: string): Reader =>
  (url) => {
    const none = { accent: null, radius: null, termsUrl: null, privacyUrl: null, supportUrl: null };
    return validateBrand({ ...none, [member]: url }).ok;
  };
const connection =
  (protocol: "oidc" | "saml", member: string): Reader =>
  (url) => {
    const { config } = initialConfig(protocol, "entra_id");
    const valid = validateConfig(REACH, { protocol, config: { ...config, [member]: url } } as never);
    return valid.ok || !valid.error.some(({ field }) => field === member);
  };
const called: Reader = (url) => targetUrlFlaw(REACH, url) === undefined;
const resource: Reader = (url) =>
  !resourceFlaws({
    identifier: url,
    name: "API",
    scopes: [],
    tokenLifetimeSeconds: null,
    organizations: null,
    claimMappings: [],
  } as never).some(({ field }) => field === "identifier");
const trust =
  (member: "issuer" | "jwksUri"): Reader =>
  (url) => {
    const settings = {
      issuer: "https://issuer.example.test",
      jwksUri: null,
      keys: null,
      audiences: [],
      conditions: [],
    };
    const config = { webhooks: REACH, urls: { publicBaseUrl: "https://auth.example.test" } };
    const flaws = trustFlaws({ config } as never, { ...settings, name: "Trust", [member]: url } as never);
    return !flaws.some(({ field }) => field === (member === "issuer" ? "issuer" : "jwks_uri"));
  };
const social =
  (member: SocialUrl): Reader =>
  (url) => {
    const config = completeSocialConfig({ preset: "gitlab", [member]: url }, "gitlab");
    const context = { hasSecret: true, urlFlaw: (text: string) => targetUrlFlaw(REACH, text) };
    return !socialConfigFlaws(config, context).some(({ field }) => field === member);
  };
type SocialUrl = "issuer" | "jwks_uri" | `${"authorization" | "token" | "userinfo"}_endpoint`;
const referrer: Reader = (url) => isOrigin(url.replace(/\/$/, ""));
const document: Reader = (url) => readDocumentUrl(`${url}client.json`, REACH) !== undefined;
const documentLogo: Reader = (url) => readLogoUri({ logo_uri: url }) !== undefined;

/** No URL of another party: of this service, compared with stored URLs, or no address at all. */
const NO_URL = "none";

/** By the name of the member, in every request body and form of the OpenAPI document. */
const MEMBERS: Readonly<Record<string, readonly Reader[] | typeof NO_URL>> = {
  logo_url: [client("logoUrl")],
  logo_uri: [client("logoUrl"), documentLogo],
  policy_uri: [client("policyUri")],
  tos_uri: [client("tosUri")],
  client_uri: [client("clientUri")],
  jwks_uri: [client("jwksUri"), trust("jwksUri"), social("jwks_uri")],
  redirect_uris: [client("redirectUris")],
  post_logout_redirect_uris: [client("postLogoutRedirectUris")],
  backchannel_logout_uri: [client("backchannelLogoutUri")],
  resources: [client("resources")],
  audiences: [client("audiences")],
  identifier: [resource],
  terms_url: [brand("termsUrl")],
  privacy_url: [brand("privacyUrl")],
  support_url: [brand("supportUrl")],
  issuer: [connection("oidc", "issuer"), trust("issuer"), social("issuer")],
  authorization_endpoint: [social("authorization_endpoint")],
  token_endpoint: [social("token_endpoint")],
  userinfo_endpoint: [social("userinfo_endpoint")],
  sso_url: [connection("saml", "sso_url")],
  slo_url: [connection("saml", "slo_url")],
  metadata_url: [connection("saml", "metadata_url")],
  url: [called],
  endpoint_url: [called],
  allowed_referrers: [referrer],
  // Whether emails have a link beside the code.
  link: NO_URL,
  // Compared with the registered redirect URIs.
  redirect_uri: NO_URL,
};

/** Columns with a URL; the URLs of connections are in `sso_connections.config`. */
const COLUMNS: Readonly<Record<string, readonly Reader[] | typeof NO_URL>> = {
  "api_keys.allowed_referrers": [referrer],
  "brands.privacy_url": [brand("privacyUrl")],
  "brands.support_url": [brand("supportUrl")],
  "brands.terms_url": [brand("termsUrl")],
  "directory_users.link": NO_URL,
  "oauth_clients.backchannel_logout_uri": [client("backchannelLogoutUri")],
  "oauth_clients.client_uri": [client("clientUri")],
  "oauth_clients.external_id": [document],
  "oauth_clients.jwks_uri": [client("jwksUri")],
  "oauth_clients.logo_url": [client("logoUrl"), documentLogo],
  "oauth_clients.policy_uri": [client("policyUri")],
  "oauth_clients.post_logout_redirect_uris": [client("postLogoutRedirectUris")],
  "oauth_clients.redirect_uris": [client("redirectUris")],
  "oauth_clients.tos_uri": [client("tosUri")],
  // One of the registered redirect URIs.
  "oauth_codes.redirect_uri": NO_URL,
  "oauth_resources.identifier": [resource],
  "transparency_log.origin": NO_URL,
  "user_identities.issuer": [connection("oidc", "issuer")],
  "webhooks.url": [called],
  "service_account_trusts.issuer": [trust("issuer")],
  "service_account_trusts.jwks_uri": [trust("jwksUri")],
};

const SAYS_URL = /(?:^|_)(?:ur[il]s?|issuers?|endpoints?|links?|href|referrers?|origins?|identifier)$/;

describe("every reader of a URL", () => {
  const readers = [...Object.entries(MEMBERS), ...Object.entries(COLUMNS)].flatMap(([name, given]) =>
    given === NO_URL ? [] : given.map((accepts) => [name, accepts] as const),
  );
  test.each(readers)("%s refuses hostile URLs and takes a plain one", (_, accepts) => {
    expect(HOSTILE.filter(accepts)).toEqual([]);
    expect(accepts("https://app.test/")).toBe(true);
  });
});

describe("the tables are complete", () => {
  // biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, read member by member.
  let openapi: any;
  beforeAll(async () => {
    openapi = await (await fetch(`${(await deployment()).one.url}/openapi.json`)).json();
  });

  test("for members of requests", () => {
    const bodies = Object.values(openapi.paths).flatMap((path) =>
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      Object.values(path as any).flatMap((operation: any) => Object.values(operation?.requestBody?.content ?? {})),
    );
    const names = new Set<string>();
    for (const body of bodies) collectNames(body, names);
    expect([...names].filter((name) => SAYS_URL.test(name) && !(name in MEMBERS)).sort()).toEqual([]);
  });

  /** Follows references within a request body. */
  function collectNames(part: unknown, names: Set<string>, seen = new Set<unknown>()): void {
    if (typeof part !== "object" || part === null || seen.has(part)) return;
    seen.add(part);
    const { $ref, properties } = part as { $ref?: string; properties?: object };
    if ($ref)
      collectNames(
        $ref
          .split("/")
          .slice(1)
          .reduce((at, key) => at?.[key], openapi),
        names,
        seen,
      );
    for (const name of Object.keys(properties ?? {})) names.add(name);
    for (const [key, value] of Object.entries(part)) if (!/^examples?$/.test(key)) collectNames(value, names, seen);
  }

  test("for columns", async () => {
    const columns = (await declaredTables()).flatMap((table) =>
      Object.values(getTableColumns(table)).map(({ name }) => `${getTableName(table)}.${name}`),
    );
    const urls = columns.filter((column) => SAYS_URL.test(column.split(".")[1] ?? ""));
    expect(urls.filter((column) => !(column in COLUMNS)).sort()).toEqual([]);
    expect(Object.keys(COLUMNS).filter((column) => !columns.includes(column))).toEqual([]);
  });
});

/** The five identity providers (docs/contract.md, section 16.1). */
import * as oauth from "oauth4webapi";
import type { Clock } from "../../base/clock.ts";
import type { SocialProviderConfig } from "../../vocabulary/social-provider-config.ts";
import type { GuardedFetch } from "../guarded-fetch.ts";
import { signAppleSecret } from "./apple-secret.ts";
import { type ConfiguredSettings, configuredProvider } from "./configured-provider.ts";
import { examineProvider, type ProviderCheck } from "./examine-provider.ts";
import { facebookProvider } from "./facebook.ts";
import { githubProvider } from "./github.ts";
import type { Claims } from "./id-token.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { type Authority, openidProvider } from "./openid.ts";

/** Base URLs without a trailing slash. */
export interface ProviderAddresses {
  readonly google: string;
  readonly github: string;
  readonly githubApi: string;
  readonly microsoft: string;
  readonly apple: string;
  readonly facebook: string;
  readonly facebookApi: string;
}

export interface ProviderSetup {
  readonly publicConfig: Readonly<Record<string, string>>;
  readonly secret: string;
  readonly redirectUri: string;
  readonly addresses: ProviderAddresses;
  readonly clock: Clock;
}

type Make = (setup: ProviderSetup) => IdentityProvider;

function clientOf({ publicConfig, secret, redirectUri }: ProviderSetup) {
  return { clientId: publicConfig.client_id ?? "", clientSecret: secret, redirectUri };
}

const OPENID_SCOPE = "openid email profile";

/** A boolean claim; Apple also sends strings. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === "true";
}

const google: Make = (setup) =>
  openidProvider({
    client: clientOf(setup),
    clock: setup.clock,
    authorities: [{ address: setup.addresses.google, issuers: [] }],
    scope: OPENID_SCOPE,
    authentications: clientSecretMethods(setup.secret),
    emailVerified: ({ email_verified }) => isTrue(email_verified),
  });

/** First in the body, as documented by the large providers, then in the header (RFC 6749, section 2.3.1). */
function clientSecretMethods(secret: string): (() => Promise<oauth.ClientAuth>)[] {
  return [async () => oauth.ClientSecretPost(secret), async () => oauth.ClientSecretBasic(secret)];
}

const github: Make = (setup) =>
  githubProvider({ client: clientOf(setup), url: setup.addresses.github, apiUrl: setup.addresses.githubApi });

/** The tenant of personal accounts (Microsoft identity platform, "ID token claims reference"). */
const PERSONAL_TENANT = "9188040d-6c67-4c5b-b112-36a304b66dad";
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TENANT_PLACEHOLDER = "{tenantid}";

const microsoft: Make = (setup) => {
  const tenant = setup.publicConfig.tenant ?? "common";
  return openidProvider({
    client: clientOf(setup),
    clock: setup.clock,
    authorities: microsoftAuthorities(setup.addresses.microsoft, tenant),
    scope: OPENID_SCOPE,
    authentications: clientSecretMethods(setup.secret),
    issuerOf: (claims, issuer) => tenantIssuer(claims, issuer, tenant),
    // A tenant's administrator can set Entra's `email` and `email_verified` to any value (nOAuth attack). `xms_edov`
    // asserts the verification by the owner of the domain.
    emailVerified: ({ xms_edov }) => isTrue(xms_edov) || xms_edov === 1 || xms_edov === "1",
  });
};

/**
 * The setting is a base URL, to which tenant and version are appended; without metadata there, the setting is the whole
 * URL.
 */
function microsoftAuthorities(setting: string, tenant: string): Authority[] {
  return [`${setting}/${tenant}/v2.0`, setting].map((address) => ({
    address,
    issuers: tenantedIssuers(address, tenant),
  }));
}

/** Permitted issuers in the metadata of a tenant: the pattern of all tenants, or the tenant of personal accounts. */
function tenantedIssuers(address: string, tenant: string): string[] {
  const suffix = `/${tenant}/v2.0`;
  if (!address.endsWith(suffix)) return [];
  const base = address.slice(0, -suffix.length);
  const personal = tenant === "consumers" ? [`${base}/${PERSONAL_TENANT}/v2.0`] : [];
  return [`${base}/${TENANT_PLACEHOLDER}/v2.0`, ...personal];
}

/** The issuer of the token's tenant. Throws for a tenant outside the setting. */
function tenantIssuer({ tid }: Claims, issuer: string, tenant: string): string {
  const named = typeof tid === "string" && GUID.test(tid) ? tid : undefined;
  if (!issuer.includes(TENANT_PLACEHOLDER) && named === undefined) return issuer;
  if (named === undefined || !isPermittedTenant(tenant, named))
    throw new Error("the tenant of the token is not permitted");
  return issuer.replace(TENANT_PLACEHOLDER, () => named);
}

function isPermittedTenant(tenant: string, named: string): boolean {
  if (tenant === "common") return true;
  if (tenant === "organizations") return named !== PERSONAL_TENANT;
  return named.toLowerCase() === (tenant === "consumers" ? PERSONAL_TENANT : tenant.toLowerCase());
}

/** Apple requires `form_post` when scopes are requested. The client secret is signed for each exchange. */
const apple: Make = (setup) => {
  const client = clientOf(setup);
  const { team_id: teamId = "", key_id: keyId = "" } = setup.publicConfig;
  const app = { clientId: client.clientId, teamId, keyId, privateKeyPem: setup.secret };
  return openidProvider({
    client,
    clock: setup.clock,
    authorities: [{ address: setup.addresses.apple, issuers: [] }],
    scope: "openid email name",
    parameters: { response_mode: "form_post" },
    authentications: [
      async () => oauth.ClientSecretPost(await signAppleSecret(app, setup.addresses.apple, setup.clock)),
    ],
    emailVerified: ({ email_verified }) => isTrue(email_verified),
  });
};

const facebook: Make = (setup) =>
  facebookProvider({ client: clientOf(setup), url: setup.addresses.facebook, apiUrl: setup.addresses.facebookApi });

/** By their wire keys. */
const KNOWN: Readonly<Record<string, Make>> = {
  oauth_idp_a: google,
  oauth_idp_b: github,
  oauth_idp_c: microsoft,
  oauth_idp_d: apple,
  oauth_idp_e: facebook,
};

export interface IdentityProviders {
  /**
   * `undefined`: unknown or disabled. The object, with the cached metadata, stays identical until the settings change.
   */
  find(key: string): IdentityProvider | undefined;
  /** The enabled providers: the fixed providers, then the providers by configuration, oldest first. */
  list(): readonly NamedProvider[];
  /** The keys of every provider, enabled or not. */
  keys(): readonly string[];
  /** Tests the settings of a provider by configuration, without a user. Never rejects. */
  examine(key: string, config: SocialProviderConfig): Promise<readonly ProviderCheck[]>;
  /** The name for people: of a provider that is known, enabled or not; else the key. */
  name(key: string): string;
}

export interface NamedProvider {
  readonly key: string;
  readonly name: string;
}

type Settings = Pick<ProviderSetup, "publicConfig" | "secret">;

export interface IdentityProvidersOptions extends Pick<ProviderSetup, "addresses" | "clock"> {
  /** The current settings: the object stays identical until a change. */
  readonly settings: (key: string) => Settings | undefined;
  readonly redirectUri: (key: string) => string;
  /** The display name of a fixed provider; undefined for another key. */
  readonly fixedName: (key: string) => string | undefined;
  readonly configured: ConfiguredProviders;
}

/** The providers by configuration. The objects stay identical until a change. */
export interface ConfiguredProviders {
  readonly settings: (key: string) => ConfiguredSettings | undefined;
  readonly enabled: () => readonly ConfiguredSettings[];
  readonly name: (key: string) => string | undefined;
  readonly keys: () => readonly string[];
  /** A fetch over guarded connections of the provider. */
  readonly fetch: (key: string) => GuardedFetch;
}

export function identityProviders(options: IdentityProvidersOptions): IdentityProviders {
  const { settings, redirectUri, configured, fixedName, ...common } = options;
  const made = new WeakMap<object, IdentityProvider>();

  function kept<Current extends object>(current: Current | undefined, make: (current: Current) => IdentityProvider) {
    if (!current) return undefined;
    const provider = made.get(current) ?? make(current);
    made.set(current, provider);
    return provider;
  }

  function find(key: string): IdentityProvider | undefined {
    const make = Object.hasOwn(KNOWN, key) ? KNOWN[key] : undefined;
    const fixed = { ...common, redirectUri: redirectUri(key) };
    if (make) return kept(settings(key), (current) => make({ ...current, ...fixed }));
    const own = { redirectUri: fixed.redirectUri, clock: common.clock };
    return kept(configured.settings(key), (current) =>
      configuredProvider({ ...current, ...own, fetch: configured.fetch(key) }),
    );
  }

  return {
    find,
    examine: (key, config) => examineProvider(config, configured.fetch(key)),
    keys: () => [...Object.keys(KNOWN), ...configured.keys()],
    name: (key) => fixedName(key) ?? configured.name(key) ?? key,
    list: () => [
      ...Object.keys(KNOWN).flatMap((key) => (find(key) ? [{ key, name: fixedName(key) ?? key }] : [])),
      ...configured.enabled().map(({ provider, config }) => ({ key: provider, name: config.name })),
    ],
  };
}

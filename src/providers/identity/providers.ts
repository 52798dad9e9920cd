/** The five providers of the contract, each as what it is (decisions, section 9). */
import * as oauth from "oauth4webapi";
import type { Clock } from "../../base/clock.ts";
import { mintAppleSecret } from "./apple-secret.ts";
import { facebookProvider } from "./facebook.ts";
import { githubProvider } from "./github.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { type Authority, type IdClaims, openidProvider } from "./openid.ts";

/** Where each provider lives, without a slash at the end. */
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

/** Providers say it as a boolean, Apple also as a text. */
function saysVerified(claim: unknown): boolean {
  return claim === true || claim === "true";
}

const google: Make = (setup) =>
  openidProvider({
    client: clientOf(setup),
    clock: setup.clock,
    authorities: [{ address: setup.addresses.google, issuers: [] }],
    scope: OPENID_SCOPE,
    authentications: bothWays(setup.secret),
    emailVerified: ({ email_verified }) => saysVerified(email_verified),
  });

/** In the body as the large providers document it, else in the header as RFC 6749 has it. */
function bothWays(secret: string): (() => Promise<oauth.ClientAuth>)[] {
  return [async () => oauth.ClientSecretPost(secret), async () => oauth.ClientSecretBasic(secret)];
}

const github: Make = (setup) =>
  githubProvider({ client: clientOf(setup), url: setup.addresses.github, apiUrl: setup.addresses.githubApi });

/** The tenant of personal accounts (Microsoft identity platform, "ID token claims reference"). */
const PERSONAL_TENANT = "9188040d-6c67-4c5b-b112-36a304b66dad";
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TENANT_MARK = "{tenantid}";

const microsoft: Make = (setup) => {
  const tenant = setup.publicConfig.tenant ?? "common";
  return openidProvider({
    client: clientOf(setup),
    clock: setup.clock,
    authorities: microsoftAuthorities(setup.addresses.microsoft, tenant),
    scope: OPENID_SCOPE,
    authentications: bothWays(setup.secret),
    issuerOf: (claims, issuer) => tenantIssuer(claims, issuer, tenant),
    // Entra's `email`, and what it says of it elsewhere, can be set to anything by a tenant's administrator;
    // `xms_edov` says that the domain's owner proved it.
    emailVerified: ({ xms_edov }) => saysVerified(xms_edov) || xms_edov === 1 || xms_edov === "1",
  });
};

/** The setting is the authority's base, to which tenant and version are added; one that has nothing there is the whole address. */
function microsoftAuthorities(setting: string, tenant: string): Authority[] {
  return [`${setting}/${tenant}/v2.0`, setting].map((address) => ({
    address,
    issuers: tenantedIssuers(address, tenant),
  }));
}

/** What the metadata of a tenant's address may name as issuer beside it: the pattern of all tenants, or that of personal accounts. */
function tenantedIssuers(address: string, tenant: string): string[] {
  const suffix = `/${tenant}/v2.0`;
  if (!address.endsWith(suffix)) return [];
  const base = address.slice(0, -suffix.length);
  const personal = tenant === "consumers" ? [`${base}/${PERSONAL_TENANT}/v2.0`] : [];
  return [`${base}/${TENANT_MARK}/v2.0`, ...personal];
}

/** The issuer that the tenant of a token must have, if that tenant may enter at all. Throws otherwise. */
function tenantIssuer({ tid }: IdClaims, issuer: string, tenant: string): string {
  const named = typeof tid === "string" && GUID.test(tid) ? tid : undefined;
  if (!issuer.includes(TENANT_MARK) && named === undefined) return issuer;
  if (named === undefined || !tenantAdmits(tenant, named)) throw new Error("the token is of another tenant");
  return issuer.replace(TENANT_MARK, named);
}

function tenantAdmits(tenant: string, named: string): boolean {
  if (tenant === "common") return true;
  if (tenant === "organizations") return named !== PERSONAL_TENANT;
  return named.toLowerCase() === (tenant === "consumers" ? PERSONAL_TENANT : tenant.toLowerCase());
}

/** Returns by form POST, which it demands for scopes; its client secret is signed anew for each exchange. */
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
      async () => oauth.ClientSecretPost(await mintAppleSecret(app, setup.addresses.apple, setup.clock)),
    ],
    emailVerified: ({ email_verified }) => saysVerified(email_verified),
  });
};

const facebook: Make = (setup) =>
  facebookProvider({ client: clientOf(setup), url: setup.addresses.facebook, apiUrl: setup.addresses.facebookApi });

/** By their keys on the wire. */
const KNOWN: Readonly<Record<string, { readonly name: string; readonly make: Make }>> = {
  oauth_idp_a: { name: "Google", make: google },
  oauth_idp_b: { name: "GitHub", make: github },
  oauth_idp_c: { name: "Microsoft", make: microsoft },
  oauth_idp_d: { name: "Apple", make: apple },
  oauth_idp_e: { name: "Facebook", make: facebook },
};

export interface IdentityProviders {
  /** `undefined`: unknown, or off. What it learnt of itself is kept until its settings change. */
  find(key: string): IdentityProvider | undefined;
  /** As people call it. */
  nameOf(key: string): string;
}

type Settings = Pick<ProviderSetup, "publicConfig" | "secret">;

export interface IdentityProvidersOptions extends Pick<ProviderSetup, "addresses" | "clock"> {
  /** The settings of today; the same object as long as nothing changed. */
  readonly settings: (key: string) => Settings | undefined;
  readonly redirectUri: (key: string) => string;
}

export function identityProviders({ settings, redirectUri, ...common }: IdentityProvidersOptions): IdentityProviders {
  const made = new WeakMap<Settings, IdentityProvider>();
  return {
    find(key) {
      const known = Object.hasOwn(KNOWN, key) ? KNOWN[key] : undefined;
      const current = known && settings(key);
      if (!current) return undefined;
      const provider = made.get(current) ?? known.make({ ...current, ...common, redirectUri: redirectUri(key) });
      made.set(current, provider);
      return provider;
    },
    nameOf: (key) => KNOWN[key]?.name ?? key,
  };
}

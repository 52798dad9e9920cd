/**
 * The types of the objects constructed by app.ts. Flows and routes declare dependencies as a named group, or as
 * `Pick<Deps, …>` of a few members.
 */
import type { LRUCache } from "lru-cache";
import type { AuditLogReader } from "./actors/audit-log-sequencer/memory.ts";
import type { BlockedHosts } from "./actors/blocked-hosts.ts";
import type { Brands } from "./actors/brands.ts";
import type { DataRequests } from "./actors/data-requests.ts";
import type { DecisionLog } from "./actors/decision-log.ts";
import type { DirectoryRequests } from "./actors/directory-requests.ts";
import type { DomainDirectory } from "./actors/domain-directory.ts";
import type { FeatureFlags } from "./actors/feature-flags.ts";
import type { Geolocation } from "./actors/geolocation.ts";
import type { KeyRing } from "./actors/key-ring.ts";
import type { KeyUsage } from "./actors/key-usage.ts";
import type { OAuthClients } from "./actors/oauth-clients.ts";
import type { OAuthResources } from "./actors/oauth-resources.ts";
import type { Outbox } from "./actors/outbox.ts";
import type { PasswordCosts } from "./actors/password-costs.ts";
import type { Reads } from "./actors/read-replica.ts";
import type { ProviderConfig } from "./actors/replicated-provider-config.ts";
import type { Registration } from "./actors/replicated-registration.ts";
import type { Revocations } from "./actors/revocations.ts";
import type { SocialProviders } from "./actors/social-providers.ts";
import type { SsoDirectory } from "./actors/sso-directory.ts";
import type { WebhookSender } from "./actors/webhook-sender.ts";
import type { Clock } from "./base/clock.ts";
import type { Random } from "./base/random.ts";
import type { ConfigKeys, SealingKey } from "./base/seal.ts";
import type { Config } from "./config/config.ts";
import type { Database } from "./database/database.ts";
import type { SourceReader } from "./models/claim-mapping/source-values.ts";
import type { DevicePolls } from "./models/oauth-device/device-code.ts";
import type { FamilyOwner } from "./models/oauth-grant/family-state.ts";
import type { UserClaimsReader } from "./models/oauth-grant/user-claims.ts";
import type { ProofKeys } from "./models/token/proof-keys.ts";
import type { VerifiedTokens } from "./models/token/verified-tokens.ts";
import type { WebhookSigner } from "./models/webhook/webhook-signature.ts";
import type { BodySlots } from "./pool/body-slots.ts";
import type { PictureDecoder } from "./pool/picture-decoder.ts";
import type { ExportPool, HashPool, SignPool } from "./pool/pool.ts";
import type { ProgramWrites } from "./pool/program-writes.ts";
import type { SamlPool } from "./pool/saml-pool.ts";
import type { ClientDocuments } from "./providers/client-documents.ts";
import type { ClientKeySets } from "./providers/client-keys.ts";
import type { TxtResolver } from "./providers/dns/txt-resolver.ts";
import type { GuardedFetch } from "./providers/guarded-fetch.ts";
import type { IdentityProviders } from "./providers/identity/providers.ts";
import type { IssuerKeySets } from "./providers/issuer-keys.ts";
import type { PasswordCheck } from "./providers/password-check/password-check.ts";
import type { PictureStore } from "./providers/pictures/picture-store.ts";
import type { ServiceCertificates } from "./providers/saml/service-certificates.ts";
import type { OpenidParties } from "./providers/sso/openid-parties.ts";
import type { State } from "./state/state.ts";
import type { Background } from "./telemetry/background.ts";
import type { Logger } from "./telemetry/log.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

/** Settings, time, randomness and the database: the dependencies of a change. */
export interface StoreDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly random: Random;
  readonly database: Database;
}

/** Changes that send an email, within the limits of emails. */
export interface EmailDeps extends StoreDeps {
  /** Seals secrets in rows: signing keys, TOTP secrets, emails. */
  readonly sealing: SealingKey;
  /** HMAC key of email addresses in keys of Redis. */
  readonly addressKey: Buffer;
  readonly outbox: Pick<Outbox, "wake">;
  readonly state: State;
  readonly telemetry: Telemetry;
  /** Work after the response. */
  readonly background: Background;
}

/** The verification, issue and end of session tokens. */
export interface SessionDeps extends StoreDeps {
  readonly keyRing: KeyRing;
  readonly signing: SignPool;
  readonly verifiedTokens: VerifiedTokens;
  readonly revocations: Revocations;
  /** The connections and policies for single sign-on of organizations. */
  readonly ssoDirectory: Pick<
    SsoDirectory,
    | "find"
    | "ofEveryOrganization"
    | "ofIssuer"
    | "ofOrganization"
    | "ofSlug"
    | "policyOf"
    | "rulesOf"
    | "rulesRevisionOf"
    | "changed"
  >;
}

/** Sign-in methods and changes of credentials. */
export interface SignInDeps extends EmailDeps, SessionDeps {
  readonly log: Logger;
  readonly geolocation: Pick<Geolocation, "locate">;
  /** HMAC key of stored codes: a code is too short for a hash without a key. */
  readonly codeKey: Buffer;
  readonly hashing: HashPool;
  /** A hash of a random password at the configured cost, verified for accounts without a password (G13). */
  readonly dummyHash: string;
  readonly passwordCosts: Pick<PasswordCosts, "slowestMs" | "observe">;
  readonly passwordCheck: PasswordCheck;
  /** How users register. */
  readonly registration: Pick<Registration, "changed" | "settings">;
  /** The currently enabled identity providers. */
  readonly identityProviders: IdentityProviders;
}

/** Reads and exports of the audit trail. */
export interface AuditDeps extends StoreDeps {
  /** Reads lists, searches, totals and exports from a read replica if configured. Never for a decision. */
  readonly reads: Pick<Reads, "run" | "exportUrls" | "recordWrite">;
  readonly exporting: ExportPool;
  readonly auditLog: AuditLogReader;
}

/** All objects of the process. */
export interface Deps extends SignInDeps, AuditDeps {
  readonly outbox: Pick<Outbox, "templates" | "brandOf" | "wake">;
  /** Erasures and exports outside of requests. */
  readonly dataRequests: Pick<DataRequests, "wake">;
  readonly webhooks: Pick<WebhookSender, "wake">;
  readonly webhookSigner: WebhookSigner;
  readonly featureFlags: Pick<FeatureFlags, "resolve" | "changed">;
  readonly providerConfig: Pick<ProviderConfig, "degraded" | "changed">;
  /** The social providers by configuration. */
  readonly socialProviders: Pick<SocialProviders, "changed" | "degraded" | "enabled" | "keys" | "name" | "settings">;
  /** Verified access tokens of the OpenID provider, like `verifiedTokens`. */
  readonly verifiedProviderTokens: VerifiedTokens;
  /** The owners of token families, by id. */
  readonly tokenFamilies: LRUCache<string, FamilyOwner>;
  /** The polls of waiting devices, by `deviceEventId`. Lost: one poll more within the interval. */
  readonly devicePolls: LRUCache<string, DevicePolls>;
  /** The public keys of proofs of possession. Lost: one import more for each key. */
  readonly proofKeys: ProofKeys;
  /** The claims of users for UserInfo and tokens, as of the request. */
  readonly userClaims: UserClaimsReader;
  /** Reads the sources of claim mappings. */
  readonly claimSources: SourceReader;
  /** The hosts whose metadata documents identify no client. */
  readonly blockedHosts: Pick<BlockedHosts, "changed" | "isBlocked">;
  /** The enabled clients of the OpenID provider. */
  readonly oauthClients: Pick<
    OAuthClients,
    "changed" | "changedRow" | "find" | "isDisabled" | "load" | "lookUp" | "renew"
  >;
  /** The brands of organizations and applications. */
  readonly brands: Pick<Brands, "find" | "forget">;
  /** The registered APIs and their scopes. */
  readonly oauthResources: Pick<OAuthResources, "index" | "changed">;
  /** The order of requests below `/scim/v2`. */
  readonly directoryRequests: Omit<DirectoryRequests, "stop">;
  /** The verified domains of organizations. */
  readonly domainDirectory: Pick<DomainDirectory, "index" | "changedRow">;
  /** The public keys of applications by address. */
  readonly clientKeySets: ClientKeySets;
  /** Fetches the metadata documents of applications. */
  readonly clientDocuments: ClientDocuments;
  /** The relying parties of connections. */
  readonly openidParties: OpenidParties;
  /** Parses XML of identity providers. */
  readonly samlPool: Pick<SamlPool, "run" | "secondsToDrain">;
  readonly serviceCertificates: ServiceCertificates;
  /** Fetches metadata of identity providers. */
  readonly fetchIdpMetadata: GuardedFetch;
  readonly txtResolver: TxtResolver;
  /** Ids of recently presented API keys, by hash. Each request asks `revocations` whether the key is live. */
  readonly apiKeyIds: LRUCache<string, string>;
  /** The public keys of external issuers of workloads. */
  readonly issuerKeySets: IssuerKeySets;
  readonly keyUsage: Pick<KeyUsage, "record">;
  /** The end of the window (monotonic milliseconds) of exhausted request limits, by key. */
  readonly exhaustedLimits: LRUCache<string, number>;
  /** Bounds how many large request bodies are received at once. */
  readonly bodySlots: BodySlots;
  /** Bounds how many writes of programs run at once. */
  readonly programWrites: ProgramWrites;
  /** HMAC key of CSRF tokens, derived from the root secret. */
  readonly csrfKey: Buffer;
  /** Seal the secrets of providers. */
  readonly configKeys: ConfigKeys;
  /** Records decisions about requests for `explain`. */
  readonly decisions: Pick<DecisionLog, "admitsClaims" | "record" | "samples">;
  readonly pictures: PictureStore;
  readonly pictureDecoder: PictureDecoder;
  readonly health: Health;
  /** The metrics in the Prometheus text format: of all processes of SERVICE_PROCESSES, if there are several. */
  readonly collectMetrics: () => Promise<string>;
}

/** Inputs of readiness (docs/contract.md, section 19.2). */
export interface Health {
  /** True once the actors have loaded their state from PostgreSQL. */
  started(): boolean;
  /** True once SIGTERM was received. */
  draining(): boolean;
  /** Names of migrations missing in the database. Rejects while PostgreSQL is unavailable. */
  pendingMigrations(): Promise<readonly string[]>;
  /** Whether limits are counted over all replicas; undefined if no Redis is configured. */
  stateShared(): boolean | undefined;
}

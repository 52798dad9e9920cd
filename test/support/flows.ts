/**
 * The dependencies of flows in this process: a test clock, seeded randomness, state in memory, a separate PostgreSQL
 * database.
 */
import { LRUCache } from "lru-cache";
import pino from "pino";
import type postgres from "postgres";
import { brands } from "../../src/actors/brands.ts";
import { directoryRequests } from "../../src/actors/directory-requests.ts";
import { domainDirectory } from "../../src/actors/domain-directory.ts";
import { featureFlags } from "../../src/actors/feature-flags.ts";
import { type KeyRing, keyRing } from "../../src/actors/key-ring.ts";
import { primaryReads } from "../../src/actors/read-replica.ts";
import { providerConfig } from "../../src/actors/replicated-provider-config.ts";
import { registration } from "../../src/actors/replicated-registration.ts";
import { revocations } from "../../src/actors/revocations.ts";
import { ssoDirectory } from "../../src/actors/sso-directory.ts";
import { deriveKey, sealingKey } from "../../src/base/seal.ts";
import { formatConfigErrors, loadConfig } from "../../src/config/config.ts";
import { openDatabase } from "../../src/database/database.ts";
import type { Deps } from "../../src/deps.ts";
import { BACKGROUND_WORK_MAX } from "../../src/limits/credential-limits.ts";
import { ensureAuditPartitions } from "../../src/models/audit/audit.ts";
import { sourceReader } from "../../src/models/claim-mapping/source-values.ts";
import { type AddressedEmail, type EmailContent, openEmail } from "../../src/models/email/email.ts";
import { userClaimsReader } from "../../src/models/oauth-grant/user-claims.ts";
import { proofKeys } from "../../src/models/token/proof-keys.ts";
import { VerifiedTokens } from "../../src/models/token/verified-tokens.ts";
import { webhookSigner } from "../../src/models/webhook/webhook-signature.ts";
import { pictureDecoder } from "../../src/pool/picture-decoder.ts";
import { openSlots } from "../../src/pool-roster.ts";
import { openIdentityProviders, openProvider } from "../../src/provider-actors.ts";
import { clientFetches } from "../../src/providers/client-keys.ts";
import { txtResolver } from "../../src/providers/dns/txt-resolver.ts";
import { loadTemplates } from "../../src/providers/mail/templates.ts";
import { listCheck } from "../../src/providers/password-check/list.ts";
import { checkOnDemand } from "../../src/providers/password-check/password-check.ts";
import { metadataFetch } from "../../src/providers/saml/fetch-metadata.ts";
import { serviceCertificates } from "../../src/providers/saml/service-certificates.ts";
import { openidParties } from "../../src/providers/sso/openid-parties.ts";
import { localState } from "../../src/state/local.ts";
import { background } from "../../src/telemetry/background.ts";
import runExportJob from "../../workers/export.ts";
import runHashJob from "../../workers/hash.ts";
import runSamlJob from "../../workers/saml.ts";
import runSignJob from "../../workers/sign.ts";
import { type MovableClock, movableClock, START } from "./clock.ts";
import { inPlacePool } from "./in-place-pool.ts";
import { DEPLOYMENT_BRAND } from "./mail.ts";
import { type ScriptedRandom, scriptedRandom } from "./random.ts";
import { CHEAP, ISSUER, TEST_SECRET } from "./replica.ts";
import { freshDatabase, openSql } from "./services.ts";
import { silentTelemetry } from "./telemetry.ts";

/** Entries of the audit trail need a partition for the month. Tests move time by less than this bound. */
const MONTHS_AHEAD = 24;
const CONNECTIONS = 4;
/** A long run beside other work does not test the bounds of the service. */
const PATIENT_DATABASE = { deadlineMs: 120_000, pooler: "session" } as const;

const NO_PROVIDERS = { settings: () => undefined };

const sealing = sealingKey(deriveKey(TEST_SECRET, "seal/v1"));

export interface Flows {
  readonly deps: Deps;
  readonly clock: MovableClock;
  readonly random: ScriptedRandom;
  readonly databaseUrl: string;
  /** A connection for inspection of rows without a flow. */
  readonly sql: postgres.Sql;
  /** Emails to an address, decrypted, oldest first. No email is sent. */
  emailsTo(address: string): Promise<readonly AddressedEmail[]>;
  /** Returns the values of the newest email of a kind to an address. Throws if no email exists. */
  newestEmail<Kind extends EmailContent["kind"]>(
    address: string,
    kind: Kind,
  ): Promise<Extract<EmailContent, { kind: Kind }>["values"]>;
  /** Returns the key ring of a second replica on the same database after a single rotation round. */
  keyRingAfterOneRound(): Promise<KeyRing>;
  close(): Promise<void>;
}

/**
 * Opens the dependencies for a test file. `environment` overrides settings. No actor loop runs, so that nothing happens
 * without a call of the test; without a loop, the revocations actor reads each session from PostgreSQL. `isPatient`:
 * statements have two minutes for their responses, as a run of hours on a busy machine needs.
 */
export async function openFlows(
  environment: Readonly<Record<string, string>> = {},
  { isPatient = false }: { readonly isPatient?: boolean } = {},
): Promise<Flows> {
  const [databaseUrl, telemetry] = await Promise.all([freshDatabase(), silentTelemetry()]);
  const config = configOf({ DATABASE_URL: databaseUrl, ...environment });
  const clock = movableClock();
  const random = scriptedRandom(clock);
  const log = pino({ level: "silent" });
  const patience = isPatient ? PATIENT_DATABASE : {};
  const database = openDatabase({ url: databaseUrl, connections: CONNECTIONS, telemetry, ...patience });
  const sql = openSql(databaseUrl);
  await Promise.all([ensureAuditPartitions(sql, new Date(START), MONTHS_AHEAD), startRing(sql)]);
  const state = localState(clock);
  const configKeys = {
    current: config.configKeys.current && sealingKey(config.configKeys.current),
    previous: config.configKeys.previous.map(sealingKey),
  };
  const tokenMaxAgeMs = config.tokens.refreshMaxAgeSeconds * 1000;
  const openRing = async (): Promise<KeyRing> => {
    const ring = keyRing({ database, random, clock, log, sealing, tokenMaxAgeMs });
    await ring.start();
    // `stop` waits for the running round, and the first round starts at once.
    await ring.stop();
    return ring;
  };
  const ring = await openRing();
  const hash = runHashJob({ kind: "hash", password: "dummy password", cost: config.hashing.cost });
  if (!hash.ok || hash.kind !== "hash") throw new Error("the dummy hash could not be made");
  const provider = openProvider({ database, state, log, clock, configKeys });
  const unawaited = background({ max: BACKGROUND_WORK_MAX, log });
  const deps: Deps = {
    config,
    clock,
    random,
    log,
    telemetry,
    database,
    reads: primaryReads(database, databaseUrl),
    state,
    hashing: inPlacePool(runHashJob),
    signing: inPlacePool(runSignJob),
    exporting: inPlacePool(runExportJob),
    keyRing: ring,
    revocations: revocations({ database, state, clock, log, telemetry }),
    outbox: {
      wake: () => undefined,
      templates: loadTemplates(undefined),
      brandOf: () => Promise.resolve(DEPLOYMENT_BRAND),
    },
    dataRequests: { wake: () => undefined },
    auditLog: {
      published: () => undefined,
      cosigned: () => undefined,
      signStatement: () => undefined,
      cosignatureWait: () => undefined,
    },
    webhooks: { wake: () => undefined },
    webhookSigner: webhookSigner(deriveKey(TEST_SECRET, "webhooks/v1")),
    featureFlags: featureFlags({ database, state, log }),
    registration: registration({ database, state, log, defaultMode: config.registrationMode }),
    providerConfig: providerConfig({ database, state, log, configKeys, fallbacks: config.identityClients }),
    identityProviders: openIdentityProviders({ config, clock }, { ...provider, providerConfig: NO_PROVIDERS }),
    openidParties: openidParties({ clock }, config.webhooks),
    ...clientFetches(clock, config.webhooks),
    samlPool: inPlacePool(runSamlJob),
    serviceCertificates: serviceCertificates(),
    fetchIdpMetadata: metadataFetch(config.webhooks),
    verifiedTokens: new VerifiedTokens(),
    verifiedProviderTokens: new VerifiedTokens(),
    tokenFamilies: new LRUCache({ max: 1_000 }),
    devicePolls: new LRUCache({ max: 1_000 }),
    proofKeys: proofKeys(),
    userClaims: userClaimsReader(database),
    claimSources: sourceReader(database),
    ...provider,
    brands: brands({ database, log }),
    directoryRequests: directoryRequests({ database, clock }),
    domainDirectory: domainDirectory({ database, state, log }),
    ssoDirectory: ssoDirectory({ database, state, log }),
    txtResolver: txtResolver({ random, servers: config.sso.dnsServers }),
    exhaustedLimits: new LRUCache({ max: 1_000 }),
    ...openSlots(clock, config.database.connections),
    apiKeyIds: new LRUCache({ max: 1_000 }),
    geolocation: { locate: () => null },
    keyUsage: { record: () => undefined },
    csrfKey: deriveKey(TEST_SECRET, "csrf/v1"),
    codeKey: deriveKey(TEST_SECRET, "codes/v1"),
    addressKey: deriveKey(TEST_SECRET, "addresses/v1"),
    sealing,
    configKeys,
    dummyHash: hash.hash,
    // All stored hashes have the configured cost.
    decisions: { record: () => undefined, samples: () => false, admitsClaims: () => false },
    passwordCosts: { slowestMs: () => 0, observe: () => undefined },
    passwordCheck: checkOnDemand(listCheck),
    pictures: picturesInMemory(),
    pictureDecoder: pictureDecoder(),
    background: unawaited,
    health: {
      started: () => true,
      draining: () => false,
      pendingMigrations: async () => [],
      stateShared: () => undefined,
    },
    collectMetrics: telemetry.prometheus,
  };

  async function emailsTo(address: string): Promise<readonly AddressedEmail[]> {
    const rows = await sql<{ id: string; sealed: Buffer }[]>`
      select id, sealed_letter as sealed from outbox order by created_at, id`;
    const emails = rows.map(({ id, sealed }) => openEmail(sealing, id, sealed));
    if (emails.includes(undefined)) throw new Error("an email in the outbox does not open");
    return emails.filter((email) => email?.to === address) as AddressedEmail[];
  }

  return {
    deps,
    clock,
    random,
    databaseUrl,
    sql,
    emailsTo,
    async newestEmail(address, kind) {
      const newest = (await emailsTo(address)).findLast(({ mail }) => mail.kind === kind);
      if (!newest) throw new Error(`there is no email of kind ${kind} to ${address}`);
      return newest.mail.values as never;
    },
    keyRingAfterOneRound: openRing,
    async close() {
      await unawaited.idle();
      await Promise.all([state.close(), sql.end(), database.close(), telemetry.shutdown()]);
    },
  };
}

/** The configuration of a test, in which `environment` overrides settings. */
export function configOf(environment: Readonly<Record<string, string>>): Deps["config"] {
  const base = { SERVICE_JWT_SECRET: TEST_SECRET, SERVICE_PUBLIC_BASE_URL: ISSUER, ...CHEAP };
  const config = loadConfig({ ...base, ...environment });
  if (!config.ok) throw new Error(formatConfigErrors(config.error));
  return config.value;
}

/** Inserts the key ring of the database with an activation time at the start of the clock. */
async function startRing(sql: postgres.Sql): Promise<void> {
  const at = new Date(START);
  await sql`update signing_keys set created_at = ${at}, activated_at = case when state = 'active' then ${at} end`;
}

function picturesInMemory(): Deps["pictures"] {
  const pictures = new Map<string, Buffer>();
  return {
    put: async (hash, content) => void pictures.set(hash, content),
    get: async (hash) => pictures.get(hash),
    remove: async (hash) => void pictures.delete(hash),
  };
}

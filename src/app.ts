/**
 * Constructs the service on the foundation shared with the commands: opens the pools, the state and the providers,
 * starts the actors (`actor-roster.ts`) and the listener, and drains.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { migrate, pendingMigrations } from "../db/migrate.ts";
import { type Actors, openActors, startActors, stopActors } from "./actor-roster.ts";
import { primaryReads, type Reads, readReplica } from "./actors/read-replica.ts";
import { type Loop, startLoop } from "./base/loop.ts";
import { openClaimReaders } from "./claim-readers.ts";
import type { Config } from "./config/config.ts";
import { openDatabase } from "./database/database.ts";
import { whereWritable } from "./database/writable.ts";
import type { Deps, Health } from "./deps.ts";
import { type Foundation, openFoundation, warnWithoutSettings } from "./foundation.ts";
import { type RunningServer, startServer } from "./http/server.ts";
import { BACKGROUND_WORK_MAX } from "./limits/credential-limits.ts";
import { KNOWN_KEYS_MAX } from "./limits/machine-limits.ts";
import { DEVICE_POLLS_MAX, TOKEN_FAMILIES_MAX } from "./limits/oauth-limits.ts";
import {
  DRAIN_DEADLINE_MS,
  DRAIN_NOTICE_MAX_MS,
  DRAIN_QUIET_MS,
  START_RETRY_PAUSE_MAX_MS,
} from "./limits/process-limits.ts";
import { SESSION_VIEW_TTL_MS } from "./limits/session-limits.ts";
import { EXHAUSTED_LIMITS_MAX } from "./limits/state-limits.ts";
import { deleteAvatar, findAvatar, insertAvatar } from "./models/avatar/avatar.ts";
import { proofKeys } from "./models/token/proof-keys.ts";
import { VerifiedTokens } from "./models/token/verified-tokens.ts";
import { openSite } from "./pages/pages.ts";
import { pictureDecoder } from "./pool/picture-decoder.ts";
import { type SignerStatus, signerStatus } from "./pool/signer-status.ts";
import { makeDummyHash, openPools, openSlots, type Pools } from "./pool-roster.ts";
import { openIdentityProviders } from "./provider-actors.ts";
import { clientFetches } from "./providers/client-keys.ts";
import { hibpCheck } from "./providers/password-check/hibp.ts";
import { listCheck } from "./providers/password-check/list.ts";
import { checkOnDemand, type PasswordCheck } from "./providers/password-check/password-check.ts";
import type { PictureStore } from "./providers/pictures/picture-store.ts";
import { s3Pictures } from "./providers/pictures/s3.ts";
import { metadataFetch } from "./providers/saml/fetch-metadata.ts";
import { serviceCertificates } from "./providers/saml/service-certificates.ts";
import { openidParties } from "./providers/sso/openid-parties.ts";
import { localState } from "./state/local.ts";
import { redisState } from "./state/redis.ts";
import { type ResilientState, resilientState } from "./state/resilient.ts";
import { background } from "./telemetry/background.ts";
import type { Logger } from "./telemetry/log.ts";
import { logProcess } from "./telemetry/process-log.ts";

export interface RunningApp {
  readonly url: string;
  readonly log: Logger;
  /** Readiness becomes 503, traffic ceases, requests in progress finish, then everything stops in reverse order. */
  drain(): Promise<void>;
}

/** The metrics of all processes, for one of several processes. */
export interface ProcessMetrics {
  /** To be called once requests are served. */
  started(): void;
  all(): Promise<string>;
}

/**
 * Starts the service: migrations in embedded mode, actors, pools, then the listener. `joinMetrics`: only for one of
 * several processes, called with the metrics of this process.
 */
export async function startApp(
  config: Config,
  joinMetrics?: (own: () => Promise<string>) => ProcessMetrics,
): Promise<RunningApp> {
  const foundation = await openFoundation(config, { logLevel: config.logLevel, attach: false });
  const { log } = foundation;
  logProcess(log);
  const processMetrics = joinMetrics?.(foundation.telemetry.prometheus);
  if (config.embedded) await migrate(foundation.databaseUrl);
  const { state, shared } = openState(foundation);
  const signer = signerStatus(log);
  const [pools, pictures] = [openPools(foundation, signer), openPictures(foundation)];
  const actors = openActors(foundation, state, pools, pictures);
  const [dummyHash] = await Promise.all([makeDummyHash(foundation, pools.hashing), shared?.connect()]);
  const lifecycle = { started: false, draining: false };
  const reads = openReads(foundation, state);
  const deps: Deps = {
    ...foundation,
    ...pools,
    ...actors,
    state,
    reads,
    ...openProviders(foundation, actors),
    pictures,
    pictureDecoder: pictureDecoder(),
    passwordCheck: await openPasswordCheck(foundation),
    ...openMemory(),
    ...openClaimReaders(foundation.database),
    ...openSlots(foundation.clock, foundation.config.database.connections),
    dummyHash,
    background: background({ max: BACKGROUND_WORK_MAX, log }),
    health: openHealth(foundation, lifecycle, shared),
    collectMetrics: processMetrics?.all ?? foundation.telemetry.prometheus,
  };
  reads.start();
  observeGauges(foundation, { ...pools, signer }, actors, shared);
  // Bundled while the actors load.
  const site = openSite(deps);
  const start = async (): Promise<void> => {
    await startActors(foundation, actors);
    // The first signature opens the key: its self-test, and the metric of the signer, precede the first sign-in.
    void pools.signing.run({ key: actors.keyRing.active(), input: "" });
    warnWithoutSettings(foundation).catch((error) => log.warn({ err: error }, "role settings cannot be read"));
    lifecycle.started = true;
  };
  const waiting = await start().then(
    () => undefined,
    (error) => startLater(start, error, log),
  );
  const server = await startServer(deps, await site);
  processMetrics?.started();
  for (const warning of config.warnings) log.warn(warning);
  return {
    url: server.url,
    log,
    async drain() {
      lifecycle.draining = true;
      await waitUntilUnused(server);
      await Promise.race([server.stop(), sleep(DRAIN_DEADLINE_MS)]);
      await deps.background.idle();
      await waiting?.stop();
      await stopActors(actors);
      await reads.stop();
      await Promise.all([...Object.values(pools).map((pool) => pool.close()), state.close()]);
      await foundation.close();
    },
  };
}

/** Values that a replica remembers; a loss costs a further check. */
function openMemory() {
  return {
    verifiedTokens: new VerifiedTokens(),
    verifiedProviderTokens: new VerifiedTokens(),
    tokenFamilies: new LRUCache({ max: TOKEN_FAMILIES_MAX, ttl: SESSION_VIEW_TTL_MS }),
    devicePolls: new LRUCache({ max: DEVICE_POLLS_MAX }),
    proofKeys: proofKeys(),
    exhaustedLimits: new LRUCache({ max: EXHAUSTED_LIMITS_MAX }),
    apiKeyIds: new LRUCache({ max: KNOWN_KEYS_MAX }),
  } satisfies Partial<Deps>;
}

function openHealth(
  { database }: Foundation,
  lifecycle: { readonly started: boolean; readonly draining: boolean },
  shared: ResilientState | undefined,
): Health {
  return {
    started: () => lifecycle.started,
    draining: () => lifecycle.draining,
    pendingMigrations: () => database.run("migrations.pending", whereWritable(pendingMigrations)),
    stateShared: () => shared?.shared,
  };
}

function observeGauges(
  { telemetry, config }: Foundation,
  pools: Pools & { readonly signer: SignerStatus },
  actors: Actors,
  shared?: ResilientState,
): void {
  telemetry.metrics.observe({
    hashQueue: () => pools.hashing.queued,
    hashQueueMax: config.hashing.queueMax,
    signQueue: () => pools.signing.queued,
    signer: () => pools.signer.name,
    revocationEntries: () => actors.revocations.size,
    revocationsCurrent: actors.revocations.current,
    stateShared: () => shared?.shared ?? true,
    oldestMailAge: actors.outbox.oldestAge,
    auditLogLag: actors.auditLogWatch.lag,
    auditLogCosignatureWait: () => actors.auditLog.cosignatureWait() ?? 0,
    auditLogBlockers: actors.auditLogWatch.blockers,
    webhooks: actors.webhookWatch.gauges,
    domains: actors.domainChecks.gauges,
    directories: actors.directoryWatch.gauges,
    certificateExpiry: actors.certificateWatch.nextExpirySeconds,
  });
}

/**
 * Waits until no requests arrive for `DRAIN_QUIET_MS`. Meanwhile readiness is 503 and every response closes its
 * connection, but requests are still served: closing the listener at once would cut connections with a request in
 * transit.
 */
async function waitUntilUnused(server: RunningServer): Promise<void> {
  for (let waitedMs = 0; waitedMs < DRAIN_NOTICE_MAX_MS; waitedMs += DRAIN_QUIET_MS / 3) {
    if (waitedMs >= DRAIN_QUIET_MS && server.quietFor() >= DRAIN_QUIET_MS) return;
    await sleep(DRAIN_QUIET_MS / 3);
  }
}

/**
 * A replica can start before its database, or before `migrate` has run. The replica then retries, live but not ready.
 */
function startLater(startActors: () => Promise<void>, firstFailure: unknown, log: Logger): Loop {
  const onFailure = (error: unknown) => log.warn({ err: error }, "waiting for the database and its migrations");
  onFailure(firstFailure);
  const loop = startLoop({
    pauseMs: 0,
    failurePauseMaxMs: START_RETRY_PAUSE_MAX_MS,
    onFailure,
    async round() {
      await startActors();
      log.info("started");
      void loop.stop();
    },
  });
  return loop;
}

function openProviders(
  { config, clock }: Foundation,
  actors: Pick<Actors, "providerConfig" | "socialProviders">,
): Pick<
  Deps,
  | "clientDocuments"
  | "clientKeySets"
  | "fetchIdpMetadata"
  | "identityProviders"
  | "issuerKeySets"
  | "openidParties"
  | "serviceCertificates"
> {
  return {
    identityProviders: openIdentityProviders({ config, clock }, actors),
    openidParties: openidParties({ clock }, config.webhooks),
    ...clientFetches(clock, config.webhooks),
    serviceCertificates: serviceCertificates(),
    fetchIdpMetadata: metadataFetch(config.webhooks),
  };
}

/** The S3-compatible store if configured, else PostgreSQL. */
function openPictures({ config, database, clock }: Foundation): PictureStore {
  if (config.s3) return s3Pictures(config.s3);
  return {
    put: (hash, content) =>
      database.run("avatar.insert", (sql) => insertAvatar(sql, hash, content, new Date(clock.now()))),
    get: (hash) => database.run("avatar.find", (sql) => findAvatar(sql, hash)),
    remove: (hash) => database.run("avatar.delete", (sql) => deleteAvatar(sql, hash)),
  };
}

/** A second pool on the read replica, if configured. */
function openReads({ config, database, databaseUrl, clock, log, telemetry }: Foundation, state: Deps["state"]): Reads {
  const { readUrl, readMaxLagMs, connections, pooler } = config.database;
  if (!readUrl) return primaryReads(database, databaseUrl);
  return readReplica({
    primary: database,
    primaryUrl: databaseUrl,
    replica: openDatabase({ url: readUrl, connections, pooler, telemetry, name: "read_replica" }),
    replicaUrl: readUrl,
    state,
    clock,
    log,
    maxLagMs: readMaxLagMs,
  });
}

async function openPasswordCheck({ config, log }: Foundation): Promise<PasswordCheck> {
  const { kind, url } = config.passwordCheck;
  if (kind === "list") return await listCheck();
  const onFailure = (error: unknown) => log.warn({ err: error }, "password check failed; the password was accepted");
  return kind === "hibp" ? hibpCheck({ apiUrl: url, onFailure }) : checkOnDemand(listCheck);
}

/** Redis with this replica's own counters as fallback, or only the latter if no Redis is configured. */
function openState({ config, clock, telemetry, log }: Foundation): { state: Deps["state"]; shared?: ResilientState } {
  const own = localState(clock);
  if (!config.redisUrl) return { state: own };
  const redis = redisState({
    url: config.redisUrl,
    clock,
    telemetry,
    onConnectionError: (error) => log.debug({ err: error }, "Redis connection failed"),
  });
  const shared = resilientState({ primary: redis, fallback: own, clock, log });
  return { state: shared, shared };
}

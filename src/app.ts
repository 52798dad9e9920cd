/**
 * Constructs what serves, on the foundation that commands have too: it wires the parts, starts the actors in order and stops them
 * in reverse.
 */
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { migrate, pendingMigrations } from "../db/migrate.ts";
import { featureFlags } from "./actors/feature-flags.ts";
import { keyRing } from "./actors/key-ring.ts";
import { type Outbox, outbox } from "./actors/outbox.ts";
import { passwordCosts } from "./actors/password-costs.ts";
import { type ProviderConfig, providerConfig } from "./actors/provider-config.ts";
import { revocations } from "./actors/revocations.ts";
import { sweeper } from "./actors/sweeper.ts";
import { background } from "./base/background.ts";
import {
  BACKGROUND_WORK_MAX,
  DRAIN_DEADLINE_MS,
  DRAIN_NOTICE_MAX_MS,
  DRAIN_QUIET_MS,
  EXPORT_DEADLINE_MS,
  EXPORTS_MAX,
  HASH_DEADLINE_MS,
  SIGN_DEADLINE_MS,
  SIGN_QUEUE_MAX,
  SIGN_SLOTS,
  SIGN_WORKERS,
  START_HASH_ATTEMPTS_MAX,
  START_RETRY_PAUSE_MAX_MS,
  VERIFIED_TOKENS_MAX,
} from "./base/limits.ts";
import type { Logger } from "./base/log.ts";
import { type Loop, startLoop } from "./base/loop.ts";
import type { Config } from "./config/config.ts";
import type { Deps } from "./deps.ts";
import { grantInitialOwner } from "./flows/steps/grant-initial-owner.ts";
import { type Foundation, openFoundation } from "./foundation.ts";
import { type RunningServer, startServer } from "./http/server.ts";
import { deleteAvatar, findAvatar, insertAvatar } from "./models/avatar/avatar.ts";
import { EMAIL_KINDS } from "./models/email/email.ts";
import { isProvider } from "./models/provider-config/provider.ts";
import { pictureDecoder } from "./pool/picture-decoder.ts";
import { type HashPool, openExportPool, openHashPool, openSignPool } from "./pool/pool.ts";
import { type IdentityProviders, identityProviders } from "./providers/identity/providers.ts";
import { folderMail } from "./providers/mail/folder.ts";
import { httpMail } from "./providers/mail/http.ts";
import type { MailProvider } from "./providers/mail/mail.ts";
import { smtpMail } from "./providers/mail/smtp.ts";
import { loadTemplates } from "./providers/mail/templates.ts";
import { hibpCheck } from "./providers/password-check/hibp.ts";
import { listCheck } from "./providers/password-check/list.ts";
import { NO_PASSWORD_CHECK, type PasswordCheck } from "./providers/password-check/password-check.ts";
import type { PictureStore } from "./providers/pictures/picture-store.ts";
import { s3Pictures } from "./providers/pictures/s3.ts";
import { localState } from "./state/local.ts";
import { redisState } from "./state/redis.ts";
import { type ResilientState, resilientState } from "./state/resilient.ts";

/** How far hash workers step back behind the thread that answers (nice(2)); measured in docs/decisions/0003. */
const HASH_NICE = 19;
const SIGN_NICE = 10;

export interface RunningApp {
  readonly url: string;
  readonly log: Logger;
  /** Readiness says 503, traffic ceases, requests under way finish, then all stops in reverse order (decisions, section 10). */
  drain(): Promise<void>;
}

/** Starts the service: migrations in embedded mode, actors, pools, then the listener. */
export async function startApp(config: Config): Promise<RunningApp> {
  const foundation = await openFoundation(config, { logLevel: config.logLevel, attach: false });
  const { database, clock, random, log, telemetry, sealing } = foundation;
  if (config.embedded) await migrate(foundation.databaseUrl);
  const { state, shared } = openState(foundation);
  const pools = openPools(foundation);
  const tokenMaxAgeMs = Math.max(config.tokens.refreshMaxAgeSeconds, config.tokens.accessExpirySeconds) * 1000;
  const ring = keyRing({ database, random, clock, log, sealing, tokenMaxAgeMs });
  const revoked = revocations({ database, state, clock, log });
  const sweeping = sweeper({ database, clock, random, log, auditRetentionMs: config.auditRetentionMs });
  const providers = providerConfig({ ...foundation, state, fallbacks: config.identityClients });
  const outgoing = openOutbox(foundation, providers);
  const flags = featureFlags({ database, state, log });
  const costs = passwordCosts({ database, clock, log, hashing: pools.hashing, configured: config.hashing.cost });
  const [dummyHash] = await Promise.all([makeDummyHash(foundation, pools.hashing), shared?.connect()]);
  const unawaited = background({ max: BACKGROUND_WORK_MAX, log });
  let started = false;
  let draining = false;
  const deps: Deps = {
    ...foundation,
    state,
    ...pools,
    keyRing: ring,
    revocations: revoked,
    outbox: outgoing,
    featureFlags: flags,
    providerConfig: providers,
    identityProviders: openIdentityProviders(foundation, providers),
    pictures: openPictures(foundation),
    pictureDecoder: pictureDecoder(),
    passwordCheck: await openPasswordCheck(foundation),
    verifiedTokens: new LRUCache({ max: VERIFIED_TOKENS_MAX }),
    dummyHash,
    passwordCosts: costs,
    background: unawaited,
    health: {
      started: () => started,
      draining: () => draining,
      pendingMigrations: () => database.run("migrations.pending", (sql) => pendingMigrations(sql)),
      stateShared: () => shared?.shared,
    },
  };
  telemetry.metrics.observe({
    hashQueue: () => pools.hashing.queued,
    hashQueueMax: config.hashing.queueMax,
    signQueue: () => pools.signing.queued,
    revocationEntries: () => revoked.size,
    revocationsCurrent: revoked.current,
    stateShared: () => shared?.shared ?? true,
  });
  const startActors = async (): Promise<void> => {
    await ring.start();
    await revoked.start();
    await flags.start();
    await providers.start();
    await costs.start();
    const granted = await database.run("user.set_platform_role", (sql) => grantInitialOwner(foundation, sql));
    if (granted) log.info("the initial owner was granted the platform role owner");
    sweeping.start();
    outgoing.start();
    started = true;
  };
  const waiting = await startActors().then(
    () => undefined,
    (error) => startLater(startActors, error, log),
  );
  const server = startServer(deps);
  for (const warning of config.warnings) log.warn(warning);
  return {
    url: server.url,
    log,
    async drain() {
      draining = true;
      await waitUntilUnused(server);
      await Promise.race([server.stop(), Bun.sleep(DRAIN_DEADLINE_MS)]);
      await unawaited.idle();
      await waiting?.stop();
      await Promise.all([outgoing.stop(), sweeping.stop(), costs.stop(), providers.stop(), flags.stop()]);
      await Promise.all([revoked.stop(), ring.stop()]);
      await Promise.all([pools.hashing.close(), pools.signing.close(), pools.exporting.close(), state.close()]);
      await foundation.close();
    },
  };
}

/**
 * Waits until the load balancer has noticed: readiness says 503 and every answer ends its connection, but whoever still comes is
 * served. A listener that closed at once would cut connections on which a request is on its way.
 */
async function waitUntilUnused(server: RunningServer): Promise<void> {
  for (let waitedMs = 0; waitedMs < DRAIN_NOTICE_MAX_MS; waitedMs += DRAIN_QUIET_MS / 3) {
    if (waitedMs >= DRAIN_QUIET_MS && server.quietFor() >= DRAIN_QUIET_MS) return;
    await Bun.sleep(DRAIN_QUIET_MS / 3);
  }
}

/** A replica may be up before its database, or before `migrate` has run: it then waits, alive and not ready. */
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

/** Letters go the way that an administrator set, else that of the environment, and wait while there is none. */
function openOutbox(foundation: Foundation, providers: ProviderConfig): Outbox {
  const { config, clock, database, log, telemetry, sealing } = foundation;
  const { apiUrl, from, templatesFolder } = config.mail;
  const otherwise = environmentMail(foundation);
  const templates = loadTemplates(EMAIL_KINDS, templatesFolder);
  const host = new URL(config.urls.publicBaseUrl).hostname;
  return outbox({
    database,
    clock,
    log,
    telemetry,
    sealing,
    templates,
    host,
    provider() {
      const set = providers.settings("email_transport");
      return set ? httpMail({ apiUrl, apiKey: set.secret, from: set.publicConfig.from ?? from }) : otherwise;
    },
  });
}

/** SMTP, else the HTTP provider, else in embedded mode a folder (decisions, section 2 and 6). */
function environmentMail({ config }: Foundation): MailProvider | undefined {
  const { apiUrl, apiKey, from, smtpUrl } = config.mail;
  if (smtpUrl) return smtpMail({ url: smtpUrl, from, host: new URL(config.urls.publicBaseUrl).hostname });
  if (apiKey) return httpMail({ apiUrl, apiKey, from });
  if (!config.embedded) return undefined;
  return folderMail({ directory: join(config.dataDirectory, "outbox"), from, print: (text) => console.log(text) });
}

function openIdentityProviders({ config, clock }: Foundation, providers: ProviderConfig): IdentityProviders {
  const { publicBaseUrl, routePrefix } = config.urls;
  return identityProviders({
    clock,
    addresses: config.identityProviders,
    settings: (key) => (isProvider(key) ? providers.settings(key) : undefined),
    redirectUri: (key) => `${publicBaseUrl}${routePrefix}/auth/oauth/${key}/callback`,
  });
}

/** An S3-compatible store where one is set, else Postgres. */
function openPictures({ config, database, clock }: Foundation): PictureStore {
  if (config.s3) return s3Pictures(config.s3);
  return {
    put: (hash, content) =>
      database.run("avatar.insert", (sql) => insertAvatar(sql, hash, content, new Date(clock.now()))),
    get: (hash) => database.run("avatar.find", (sql) => findAvatar(sql, hash)),
    remove: (hash) => database.run("avatar.delete", (sql) => deleteAvatar(sql, hash)),
  };
}

async function openPasswordCheck({ config, log }: Foundation): Promise<PasswordCheck> {
  const { kind, url } = config.passwordCheck;
  if (kind === "list") return await listCheck();
  const onFailure = (error: unknown) =>
    log.warn({ err: error }, "password check: nobody could tell, the password passed");
  return kind === "hibp" ? hibpCheck({ apiUrl: url, onFailure }) : NO_PASSWORD_CHECK;
}

/** Redis in front of this replica's own counters; those alone where no Redis is configured. */
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

function openPools({ config, clock, telemetry }: Foundation): Pick<Deps, "hashing" | "signing" | "exporting"> {
  const common = { clock, telemetry };
  return {
    hashing: openHashPool({
      ...common,
      workers: config.hashing.workers,
      queueMax: config.hashing.queueMax,
      deadlineMs: HASH_DEADLINE_MS,
      niceIncrement: HASH_NICE,
    }),
    exporting: openExportPool({
      ...common,
      workers: EXPORTS_MAX,
      queueMax: 0,
      deadlineMs: EXPORT_DEADLINE_MS,
      niceIncrement: SIGN_NICE,
    }),
    signing: openSignPool({
      ...common,
      workers: SIGN_WORKERS,
      queueMax: SIGN_QUEUE_MAX,
      admissionsMax: SIGN_SLOTS,
      deadlineMs: SIGN_DEADLINE_MS,
      niceIncrement: SIGN_NICE,
    }),
  };
}

/** The first hash waits for the workers to load, which takes them long beside other programs: their priority is the lowest. */
async function makeDummyHash({ config, random }: Foundation, hashing: HashPool): Promise<string> {
  const password = random.bytes(24).toString("base64url");
  for (let attempt = 1; attempt <= START_HASH_ATTEMPTS_MAX; attempt += 1) {
    const answer = await hashing.run({ kind: "hash", password, cost: config.hashing.cost });
    if (answer.ok && answer.kind === "hash") return answer.hash;
  }
  throw new Error("the hashing workers do not answer");
}

/**
 * Owns: the unsealed signing keys of this replica, as last read from PostgreSQL.
 * Updated by: a poll, and by a verification with an unknown `kid` (another replica has just rotated).
 * Bound: one load at a time; loads on demand at most once a second. A ring has two keys and one more for each rotation
 * within the lifetime of a refresh token.
 * A crash loses: nothing; the ring is stored in PostgreSQL.
 */

import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../base/clock.ts";
import { OLDER_REPLICA_GRACE_MS } from "../base/compatibility-0-1.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import { open, type SealingKey } from "../base/seal.ts";
import { KEY_RING_POLL_MS, KEY_RING_RELOAD_MIN_INTERVAL_MS, SIGNING_KEY_MAX_AGE_MS } from "../limits/session-limits.ts";
import {
  type DerivedJwk,
  deriveProviderKeys,
  type ProviderKey,
  type ProviderKeys,
} from "../models/signing-key/provider-keys.ts";
import { deriveRefreshKey } from "../models/signing-key/refresh-key.ts";
import { ensureRing, type RingDeps, rotateRing } from "../models/signing-key/ring.ts";
import {
  isPublicHalf,
  loadRing,
  type PublicJwk,
  type SigningKeyRow,
  signingKeyIdentity,
} from "../models/signing-key/signing-key.ts";
import { encodeHeader, encodeProviderHeader, type TokenVerifier } from "../models/token/compact.ts";
import type { SigningKey } from "../pool/protocol.ts";
import type { Logger } from "../telemetry/log.ts";
import type { DerivedAlgorithm, ProviderAlgorithm } from "../vocabulary/provider-algorithm.ts";

export interface ActiveKey extends SigningKey {
  readonly encodedHeader: string;
}

/** Signs refresh and MFA tokens with Ed25519. */
export interface RefreshKey {
  readonly privateKey: KeyObject;
  readonly encodedHeader: string;
}

export interface KeySet {
  readonly keys: readonly (PublicJwk | DerivedJwk)[];
}

export interface KeyRing {
  /**
   * Loads the ring, or creates the first key of an empty ring. Rejects while PostgreSQL is unavailable; the caller may
   * call start() again.
   */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The key for the signatures of access tokens. */
  active(): ActiveKey;
  /**
   * The key for the signatures of refresh and MFA tokens. Undefined while a replica of version 0.1.0 is connected to
   * the database, because version 0.1.0 verifies RS256 only: the active key then signs these tokens too.
   */
  activeRefresh(): RefreshKey | undefined;
  /** The key for the signatures of the OpenID provider with an algorithm other than RS256. */
  activeProvider(algorithm: DerivedAlgorithm): ProviderKey;
  /** Verifies the tokens with exactly this encoded header (G7). */
  verifier(encodedHeader: string): TokenVerifier | undefined;
  /** Reads PostgreSQL again after an unknown `kid`, at most once a second. */
  reload(): Promise<void>;
  /** RFC 7517, section 5: next, active and retiring keys, so a rotation breaks no verifier (G23). RSA keys first. */
  jwks(): KeySet;
}

export interface KeyRingDeps extends RingDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** The longest lifetime of a token, and therefore the retention of a retiring key. */
  readonly tokenMaxAgeMs: number;
}

interface RingState {
  readonly active: ActiveKey;
  readonly activeRefresh: RefreshKey;
  readonly activeProvider: ProviderKeys;
  readonly activatedAt: number;
  readonly opened: readonly OpenedKey[];
  readonly byHeader: ReadonlyMap<string, TokenVerifier>;
  readonly jwks: KeySet;
}

export function keyRing(deps: KeyRingDeps): KeyRing {
  const { database, clock, sealing, log } = deps;
  let state: RingState | undefined;
  let polling: Loop | undefined;
  let loading: Promise<void> | undefined;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let olderReplicaSeenAt = Number.NEGATIVE_INFINITY;

  async function load(): Promise<void> {
    loadedAt = clock.monotonic();
    const ring = await database.run("signing_key.load", (sql) => loadRing(sql, sealing.id));
    if (ring.olderReplicaConnected) olderReplicaSeenAt = clock.monotonic();
    state = step(ring.rows, sealing, reportUnusable, state);
  }

  function started(): RingState {
    if (!state) throw new Error("key ring is not started");
    return state;
  }

  function reportUnusable(kid: string): void {
    log.error({ kid }, "key ring: a key does not open, or its public half does not match; it is ignored");
  }

  function loadOnce(): Promise<void> {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  async function rotateByAge(): Promise<void> {
    const activatedBefore = new Date(clock.now() - SIGNING_KEY_MAX_AGE_MS);
    if (!state || state.activatedAt >= activatedBefore.getTime()) return;
    const plan = {
      at: new Date(clock.now()),
      activatedBefore,
      tokenMaxAgeMs: deps.tokenMaxAgeMs,
    };
    if (await rotateRing(deps, plan)) log.info("signing key rotated by age");
    await loadOnce();
  }

  return {
    async start() {
      await ensureRing(deps, new Date(clock.now()));
      await loadOnce();
      polling ??= startLoop({
        pauseMs: KEY_RING_POLL_MS,
        round: async () => {
          await loadOnce();
          await rotateByAge();
        },
        onFailure: (error) => log.warn({ err: error }, "key ring could not be read; the last known keys stay in use"),
      });
    },
    async stop() {
      await polling?.stop();
    },
    active: () => started().active,
    activeRefresh() {
      const onlyNewReplicas = clock.monotonic() - olderReplicaSeenAt >= OLDER_REPLICA_GRACE_MS;
      return onlyNewReplicas ? state?.activeRefresh : undefined;
    },
    activeProvider: (algorithm) => started().activeProvider[algorithm],
    verifier: (encodedHeader) => state?.byHeader.get(encodedHeader),
    async reload() {
      if (loading || clock.monotonic() - loadedAt >= KEY_RING_RELOAD_MIN_INTERVAL_MS) await loadOnce();
    },
    jwks: () => state?.jwks ?? { keys: [] },
  };
}

interface OpenedKey {
  readonly row: SigningKeyRow;
  readonly privateKeyPem: string;
  readonly publicKey: KeyObject;
  readonly encodedHeader: string;
  readonly refresh: RefreshKey;
  readonly provider: ProviderKeys;
}

/**
 * Builds the state from rows. A forged row is reported and ignored. Keys in `before` are not opened again: parsing an
 * RSA key takes milliseconds, during which this thread serves no request.
 */
export function step(
  rows: readonly SigningKeyRow[],
  sealing: SealingKey,
  reportUnusable: (kid: string) => void,
  before?: RingState,
): RingState {
  const opened = rows.flatMap((row) => {
    const known = before?.opened.find((key) => isSameKey(key.row, row));
    const key = known ? { ...known, row } : openKey(row, sealing);
    if (!key) reportUnusable(row.kid);
    return key ?? [];
  });
  const active = opened.find(({ row }) => row.state === "active");
  if (!active) throw new Error("the key ring has no active key that opens");
  // Some clients take the first key of a set.
  const ordered = [active, ...opened.filter((key) => key !== active)];
  return {
    active: { kid: active.row.kid, privateKeyPem: active.privateKeyPem, encodedHeader: active.encodedHeader },
    activeRefresh: active.refresh,
    activeProvider: active.provider,
    opened,
    activatedAt: active.row.activatedAt?.getTime() ?? 0,
    byHeader: new Map(opened.flatMap(verifiersOf)),
    jwks: {
      keys: [...ordered.map(({ row }) => row.publicJwk), ...ordered.flatMap(({ provider }) => jwksOf(provider))],
    },
  };
}

function isSameKey(one: SigningKeyRow, other: SigningKeyRow): boolean {
  return (
    one.kid === other.kid &&
    one.sealedPrivateKey.equals(other.sealedPrivateKey) &&
    isDeepStrictEqual(one.publicJwk, other.publicJwk)
  );
}

function verifiersOf({ row, encodedHeader, publicKey, refresh, provider }: OpenedKey): [string, TokenVerifier][] {
  const ofProvider = [{ algorithm: "RS256", kid: row.kid, publicKey } as const, provider.ES256, provider.EdDSA];
  return [
    [encodedHeader, { algorithm: "RS256", publicKey }],
    [refresh.encodedHeader, { algorithm: "Ed25519", publicKey: createPublicKey(refresh.privateKey) }],
    ...ofProvider.flatMap(providerVerifiers),
  ];
}

/** The kinds of token of the OpenID provider that clients present to this service. */
const PRESENTED_KINDS = ["oauth_access", "id"] as const;

function providerVerifiers({
  algorithm,
  kid,
  publicKey,
}: Pick<TokenVerifier, "publicKey"> & { readonly algorithm: ProviderAlgorithm; readonly kid: string }) {
  return PRESENTED_KINDS.map((only): [string, TokenVerifier] => {
    return [encodeProviderHeader(only, algorithm, kid), { algorithm, publicKey, only }];
  });
}

function jwksOf({ ES256, EdDSA }: ProviderKeys): readonly DerivedJwk[] {
  return [ES256.publicJwk, EdDSA.publicJwk];
}

/**
 * Returns `undefined` unless the private half opens under this secret and kid, and the public half belongs to the
 * private half. Otherwise an attacker with write access to the table, but without the secret, could publish an own key
 * as trusted.
 */
function openKey(row: SigningKeyRow, sealing: SealingKey): OpenedKey | undefined {
  const pem = open(sealing, signingKeyIdentity(row.kid), row.sealedPrivateKey)?.toString();
  if (pem === undefined) return undefined;
  const publicKey = createPublicKey(createPrivateKey(pem));
  if (!isPublicHalf(row.publicJwk, row.kid, publicKey)) return undefined;
  const refresh = { privateKey: deriveRefreshKey(pem), encodedHeader: encodeHeader("Ed25519", row.kid) };
  const provider = deriveProviderKeys(pem);
  return { row, privateKeyPem: pem, publicKey, encodedHeader: encodeHeader("RS256", row.kid), refresh, provider };
}

/**
 * Owns: key sets by name, as last fetched, and the fetches in progress. Updated by: requests. Bound: `setsMax`, least
 * recently used first out. A crash loses: no data.
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { LRUCache } from "lru-cache";
import type { Clock } from "../base/clock.ts";
import type { Result } from "../base/result.ts";
import type { FetchFailure } from "./client-documents.ts";

export type FetchedKeys = Result<JSONWebKeySet, FetchFailure>;
/** `isHeld`: the place has served keys before. */
export type FetchKeys = (isHeld: boolean) => Promise<FetchedKeys>;

/** Times are milliseconds. */
export interface KeySetsOptions {
  readonly clock: Pick<Clock, "monotonic">;
  readonly setsMax: number;
  /** A set of this age is fetched before the next use. */
  readonly ageMs: number;
  /** Up to this age a set serves while its place is unavailable; default: not beyond `ageMs`. */
  readonly staleMs?: number;
  /** An unknown key id causes a fetch of a set of this age. */
  readonly refreshMs: number;
  /** The pause after a failure. */
  readonly pauseMs: (isHeld: boolean) => number;
  /** The error in place of a key. */
  readonly errorOf: (failure: FetchFailure) => Error;
}

interface HeldSet {
  keys?: JWTVerifyGetKey;
  fetchedAt: number;
  /** No fetch begins before: the last fetch failed. */
  pausedUntil: number;
  fetching?: Promise<JWTVerifyGetKey>;
}

const PAUSED: FetchFailure = { kind: "unavailable", cause: "the keys could not be fetched a moment ago" };

/** The keys by name. The resolver throws `errorOf` where no keys are known. */
export function keySets(options: KeySetsOptions): (name: string, fetch: FetchKeys) => JWTVerifyGetKey {
  const { clock, setsMax, ageMs, staleMs = ageMs, refreshMs, pauseMs, errorOf } = options;
  const sets = new LRUCache<string, HeldSet>({ max: setsMax });
  const ageOf = ({ fetchedAt }: HeldSet) => clock.monotonic() - fetchedAt;

  async function refresh(set: HeldSet, fetch: FetchKeys): Promise<JWTVerifyGetKey> {
    if (clock.monotonic() < set.pausedUntil) throw errorOf(PAUSED);
    const isHeld = set.keys !== undefined;
    const fetched = await fetch(isHeld);
    if (!fetched.ok) {
      if (fetched.error.kind === "unavailable") set.pausedUntil = clock.monotonic() + pauseMs(isHeld);
      throw errorOf(fetched.error);
    }
    set.keys = createLocalJWKSet(fetched.value);
    set.fetchedAt = clock.monotonic();
    return set.keys;
  }

  /** Parallel calls share a fetch. */
  function refreshOnce(set: HeldSet, fetch: FetchKeys): Promise<JWTVerifyGetKey> {
    set.fetching ??= refresh(set, fetch).finally(() => {
      delete set.fetching;
    });
    return set.fetching;
  }

  async function current(set: HeldSet, fetch: FetchKeys): Promise<JWTVerifyGetKey> {
    const age = ageOf(set);
    if (set.keys && age < ageMs) return set.keys;
    try {
      return await refreshOnce(set, fetch);
    } catch (error) {
      if (set.keys && age < staleMs) return set.keys;
      throw error;
    }
  }

  return (name, fetch) => async (header, token) => {
    const set = sets.get(name) ?? { fetchedAt: Number.NEGATIVE_INFINITY, pausedUntil: Number.NEGATIVE_INFINITY };
    sets.set(name, set);
    const keys = await current(set, fetch);
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || ageOf(set) < refreshMs) throw error;
      return await (await refreshOnce(set, fetch))(header, token);
    }
  };
}

/**
 * Owns: recently read brands of organizations and applications, so a page reads no brand from PostgreSQL that the
 * replica knows.
 * Updated by: reads after expiry, at most `BRAND_CACHE_TTL_MS` after a change on another replica, and `forget` after a
 * change on this replica.
 * Bound: `BRANDS_CACHED_MAX` brands; concurrent reads of a brand are one statement.
 * A crash loses: no data.
 */
import { LRUCache } from "lru-cache";
import type { Database } from "../database/database.ts";
import { BRAND_CACHE_TTL_MS, BRANDS_CACHED_MAX } from "../limits/brand-limits.ts";
import { type BrandOwner, findBrand, hasBrand, type StoredBrand } from "../models/brand/brand.ts";
import type { Logger } from "../telemetry/log.ts";

export interface Brands {
  /** Undefined for an owner without a brand, and where PostgreSQL cannot be read. */
  find(owner: BrandOwner): Promise<StoredBrand | undefined>;
  /** Called after a change. */
  forget(owner: BrandOwner): void;
  stop(): Promise<void>;
}

export function brands({ database, log }: { readonly database: Database; readonly log: Logger }): Brands {
  const known = new LRUCache<string, { readonly brand: StoredBrand | undefined }, BrandOwner>({
    max: BRANDS_CACHED_MAX,
    ttl: BRAND_CACHE_TTL_MS,
    ignoreFetchAbort: true,
    async fetchMethod(_key, _stale, { context: owner }) {
      const found = await database.run("brand.find", (sql) => findBrand(sql, owner));
      return { brand: found && hasBrand(found) ? found : undefined };
    },
  });
  return {
    async find(owner) {
      const entry = await known.fetch(keyOf(owner), { context: owner }).catch((error) => {
        log.debug({ err: error }, "a brand could not be read; the brand of the deployment is displayed");
        return undefined;
      });
      return entry?.brand;
    },
    forget: (owner) => void known.delete(keyOf(owner)),
    stop: async () => known.clear(),
  };
}

function keyOf({ kind, id }: BrandOwner): string {
  return `${kind}:${id}`;
}

/**
 * Division of a large table into buckets by a hash of a key, for tables in the memory of every replica: a change
 * reloads the rows of a bucket instead of the whole table.
 */
import type { Fragment, Sql } from "./database.ts";

/** A power of two. */
const BUCKETS = 64;

export interface BucketVersion {
  readonly bucket: number;
  /** Differs after every change of a row of the bucket. */
  readonly version: string;
}

/** The bucket of a key, from 0 to `BUCKETS` - 1. */
export function bucketOf(sql: Sql, key: Fragment): Fragment {
  return sql`(hashtextextended(${key}::text, 0) & ${BUCKETS - 1}::int8)::int`;
}

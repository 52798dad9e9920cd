import type { Sql } from "../../database/database.ts";
import { IMPORTED_KEY_MAX_BYTES } from "../../limits/account-limits.ts";
import type { StoredHash } from "../../vocabulary/stored-hash.ts";
import { readStoredHash } from "./hash-encoding.ts";

/** Scheme and cost of a stored hash, as the SQL function `password_cost` returns it: the hash without salt and key. */
type CostText = string;

/**
 * The distinct costs among all stored hashes, at most `limit`. A loose index scan: each step reads the next greater
 * value from the index, so the query costs one look-up per cost, for any number of users.
 */
export async function listPasswordCosts(sql: Sql, limit: number): Promise<CostText[]> {
  const rows = await sql<{ cost: CostText }[]>`
    with recursive costs as (
      (select password_cost(password_hash) as cost from users where password_hash is not null
       order by password_cost(password_hash) limit 1)
      union all
      select (
        select password_cost(u.password_hash) from users u
        where u.password_hash is not null and password_cost(u.password_hash) > costs.cost
        order by password_cost(u.password_hash) limit 1
      ) from costs where costs.cost is not null
    )
    select cost from costs where cost is not null limit ${limit}`;
  return rows.map(({ cost }) => cost);
}

const SALT = Buffer.alloc(16).toString("base64").replace(/=+$/, "");
/**
 * The cost does not hold the key length, and PBKDF2 takes longer for a longer key: the longest that an import accepts.
 */
const LONGEST_KEY = Buffer.alloc(IMPORTED_KEY_MAX_BYTES).toString("base64").replace(/=+$/, "");
const BCRYPT_SALT_AND_KEY = ".".repeat(53);
const CRYPT_SALT_AND_KEY = `${".".repeat(22)}$${".".repeat(43)}`;

/** A hash of that cost without a password, to measure a verification. Undefined for an unknown form. */
export function sampleHash(cost: CostText): StoredHash | undefined {
  if (/^\$2[aby]\$/.test(cost)) return readStoredHash(`${cost}$${BCRYPT_SALT_AND_KEY}`);
  if (cost.startsWith("$7$")) return readStoredHash(cost + CRYPT_SALT_AND_KEY);
  return readStoredHash(`${cost}$${SALT}$${LONGEST_KEY}`);
}

const COST = /^\$(?:argon2(?:id|i|d)\$(?:v=\d+\$)?[^$]+|2[aby]\$\d\d|scrypt\$[^$]+|7\$.{11}|pbkdf2[^$]*\$[^$]+)/;

/** Equal to the result of the SQL function `password_cost`; undefined for an unknown form. */
export function costOf(passwordHash: string): CostText | undefined {
  return COST.exec(passwordHash)?.[0];
}

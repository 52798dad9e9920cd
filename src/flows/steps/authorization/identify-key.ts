import { NOT_SIGNED_IN, type Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { findKeyId, type KeyView } from "../../../models/service-account/api-key.ts";
import { hashKey, isKeyText } from "../../../models/service-account/key-format.ts";

/** The limit of unknown keys from one address. */
export interface UnknownKeyLimit {
  /** Returns the problem once the limit is known to be exhausted. */
  open(): Result<void, Refusal<"rate_limited">>;
  /** Counts an unknown key. */
  count(): Promise<Result<void, Refusal<"rate_limited">>>;
}

/** No limit: a limit of the address has counted the request. */
export const UNCOUNTED: UnknownKeyLimit = { open: () => ok(undefined), count: async () => ok(undefined) };

/**
 * Finds the live key of a Bearer token. A key known to this replica comes from memory: the hash identifies the key, and
 * the scopes are cached like a session. An unknown key costs a query, so unknown keys are counted by address. Throws
 * when the state of the key cannot be read.
 */
export async function identifyKey(
  deps: Pick<Deps, "apiKeyIds" | "database" | "revocations">,
  token: string,
  limit: UnknownKeyLimit,
): Promise<Result<KeyView, Refusal<"authentication_required" | "rate_limited">>> {
  if (!isKeyText(token)) return err(NOT_SIGNED_IN);
  const hash = hashKey(token);
  const name = hash.toString("base64");
  let id = deps.apiKeyIds.get(name);
  if (id === undefined) {
    const open = limit.open();
    if (!open.ok) return open;
    id = await deps.database.run("api_key.find_id", (sql) => findKeyId(sql, hash));
    if (id === undefined) {
      const counted = await limit.count();
      return counted.ok ? err(NOT_SIGNED_IN) : counted;
    }
    deps.apiKeyIds.set(name, id);
  }
  const key = await deps.revocations.key(id);
  return key ? ok(key) : err(NOT_SIGNED_IN);
}

import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { identifyKey, type UnknownKeyLimit } from "../../flows/steps/authorization/identify-key.ts";
import { isPermittedAddress } from "../../flows/steps/authorization/key-address.ts";
import { lacksScope } from "../../flows/steps/authorization/key-scope.ts";
import { hasScope, type KeyView } from "../../models/service-account/api-key.ts";
import type { EndpointPermission } from "../../vocabulary/key-scope.ts";
import { byRule } from "../../vocabulary/program-rules.ts";
import { FORMER_OPERATIONS } from "./former-operations.ts";

/** A program with an API key. Cookies never contain a key, so a request with a key needs no CSRF check. */
export interface KeyCaller {
  readonly key: KeyView;
  readonly via: "key";
}

/** What an endpoint requires of a key. */
interface KeyRule {
  readonly operationId: string;
  readonly path: string;
  /** Undefined: every key has access. */
  readonly permission?: EndpointPermission | undefined;
  readonly keyPermission?: EndpointPermission;
}

/** Returned for every key-shaped token, so that the response does not reveal whether the key exists. */
export const PEOPLE_ONLY = refusal("forbidden", "API keys are not accepted here: this is for people.");
const OF_THE_PLATFORM = byRule("reach", refusal("forbidden", "This is for programs of the platform."));
const MADE_BEFORE = byRule(
  "permission",
  refusal("forbidden", "Keys of the former release do not reach this endpoint. Create a new key."),
  "key of a former release",
);
const WRONG_ADDRESS = refusal("forbidden", "This API key is not accepted from this address.");
const WRONG_REFERRER = refusal("forbidden", "This API key is not accepted from this site.");

/** Authenticates an API key. */
export async function findKey(
  deps: Pick<Deps, "apiKeyIds" | "database" | "revocations">,
  token: string,
  limit: UnknownKeyLimit,
): Promise<Result<KeyCaller, Refusal<"authentication_required" | "rate_limited">>> {
  const found = await identifyKey(deps, token, limit);
  return found.ok ? ok({ key: found.value, via: "key" }) : found;
}

/**
 * Enforces the bounds of a key: addresses, referrers, the permission of the endpoint before everything that the request
 * names (docs/contract.md, section 35.2).
 */
export function checkKeyUse(
  deps: Pick<Deps, "keyUsage">,
  { key }: KeyCaller,
  request: Request,
  address: () => string | null,
  endpoint: KeyRule,
): Result<void, Refusal<"forbidden">> {
  if (!isPermittedAddress(key, address())) return err(WRONG_ADDRESS);
  if (!referrerAllowed(key, request)) return err(WRONG_REFERRER);
  const permitted = checkPermission(key, endpoint);
  if (!permitted.ok) return permitted;
  // Record the use only after every check has passed.
  deps.keyUsage.record(key);
  return ok(undefined);
}

function checkPermission(key: KeyView, endpoint: KeyRule): Result<void, Refusal<"forbidden">> {
  const { permission, keyPermission, operationId, path } = endpoint;
  if (permission === undefined) return ok(undefined);
  const names = keyPermission === undefined ? [permission] : [permission, keyPermission];
  if (!names.some((name) => hasScope(key, name))) return err(lacksScope(keyPermission ?? permission));
  const isFormerOperation = FORMER_OPERATIONS.has(operationId);
  if (key.isFormer && !isFormerOperation) return err(MADE_BEFORE);
  const isBelowAdmin = path.startsWith("/admin/") && !isFormerOperation;
  return key.organizationId !== null && isBelowAdmin ? err(OF_THE_PLATFORM) : ok(undefined);
}

/** Only browsers send these headers truthfully: the check bounds a key in a public page and is no secret. */
function referrerAllowed({ allowedReferrers }: KeyView, { headers }: Request): boolean {
  if (allowedReferrers.length === 0) return true;
  const given = headers.get("origin") ?? headers.get("referer") ?? "";
  return URL.canParse(given) && allowedReferrers.includes(new URL(given).origin);
}

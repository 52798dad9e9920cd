import { type Refusal, refusal } from "../../../base/problem.ts";
import type { EndpointPermission } from "../../../vocabulary/key-scope.ts";

/** Returns the problem of a key without a scope: `insufficient_scope` in the challenge (RFC 6750, section 3.1). */
export function lacksScope(scope: EndpointPermission): Refusal<"forbidden"> {
  return { ...refusal("forbidden", `This API key lacks the scope ${scope}.`), requiredScope: scope };
}

import { type Refusal, refusal } from "../../../base/problem.ts";
import type { EndpointPermission } from "../../../vocabulary/key-scope.ts";
import { byRule } from "../../../vocabulary/program-rules.ts";

/** Returns the problem of a key without a scope: `insufficient_scope` in the challenge (RFC 6750, section 3.1). */
export function lacksScope(scope: EndpointPermission): Refusal<"forbidden"> {
  const problem = { ...refusal("forbidden", `This API key lacks the scope ${scope}.`), requiredScope: scope };
  return byRule("permission", problem, scope);
}

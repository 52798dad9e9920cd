/** The states of a domain, without I/O (docs/contract.md, section 29.4). */
import { DOMAIN_LOST_AFTER_MS, DOMAIN_WARNING_AGES_MS } from "../../limits/sso-limits.ts";
import type { DomainState } from "./organization-domain.ts";

/**
 * The DNS record of a domain over all servers: `found` at every server; `partial` at some; `missing` in a definite
 * response, and at no server; `unknown` without a definite response.
 */
export type RecordSighting = "found" | "partial" | "missing" | "unknown";

export interface DomainTransition {
  readonly state: DomainState;
  /** The audit event of a changed status. */
  readonly event?: "verified" | "failing" | "lost";
  /** The mail to the owners of the organization. */
  readonly mail?: "domain_failing" | "domain_lost";
}

/** `responses`: the values of the record per server; undefined for a server without a definite response. */
export function sightingOf(responses: readonly (readonly string[] | undefined)[], value: string): RecordSighting {
  const found = responses.filter((values) => values?.some((each) => withoutFrame(each) === value)).length;
  if (found > 0) return found === responses.length ? "found" : "partial";
  return responses.some((values) => values !== undefined) ? "missing" : "unknown";
}

/** Panels of DNS providers store white space, a line break or quotes around a value, which proves the same control. */
function withoutFrame(text: string): string {
  return text
    .trim()
    .replace(/^"(.*)"$/s, "$1")
    .trim();
}

interface CheckContext {
  readonly sighting: RecordSighting;
  /** Another organization holds the domain, or no member with the role of users who join is responsible. */
  readonly mustWait: boolean;
  readonly at: Date;
}

/** The state after a check. Only a definite response without the record starts and continues a loss. */
export function nextDomainState(before: DomainState, check: CheckContext): DomainTransition {
  const { sighting, at } = check;
  const seen = sighting === "found" || sighting === "partial";
  const state = { ...before, checkedAt: at, seenAt: seen ? at : before.seenAt };
  if (sighting === "found") return foundState(state, check);
  return sighting === "missing" ? missingState(state, at) : { state };
}

function foundState(state: DomainState, { mustWait, at }: CheckContext): DomainTransition {
  if (state.status === "verified") return { state };
  if (mustWait) return { state: { ...state, status: "pending" } };
  return { state: verifiedState(state, at), event: "verified" };
}

/** A verified domain. A failing domain keeps the time of the first proof. */
export function verifiedState(state: DomainState, at: Date): DomainState {
  const verifiedAt = state.status === "failing" ? (state.verifiedAt ?? at) : at;
  return { ...state, status: "verified", verifiedAt, missingSince: null, warnings: 0 };
}

function missingState(state: DomainState, at: Date): DomainTransition {
  if (state.status === "verified") {
    return { state: { ...state, status: "failing", missingSince: at, warnings: 0 }, event: "failing" };
  }
  if (state.status !== "failing") return { state };
  const missingMs = at.getTime() - (state.missingSince ?? at).getTime();
  if (missingMs >= DOMAIN_LOST_AFTER_MS) {
    return { state: { ...state, status: "lost" }, event: "lost", mail: "domain_lost" };
  }
  const warnings = DOMAIN_WARNING_AGES_MS.filter((age) => missingMs >= age).length;
  return warnings > state.warnings ? { state: { ...state, warnings }, mail: "domain_failing" } : { state };
}

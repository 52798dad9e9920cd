import type { LimitState } from "../../../base/problem.ts";
import { BOUNDS, type Bound } from "../../../limits/bounds.ts";
import type { AuditRecord } from "../../../models/audit/audit-log.ts";
import type { RecordedDecision } from "../../../models/decision/decision.ts";
import type { ClaimOutcome, ClaimRecord } from "../../../vocabulary/claim-mapping.ts";
import { sentenceOfRule } from "../../../vocabulary/program-rules.ts";
import { ATTEMPT_SENTENCES } from "../../../vocabulary/sso-attempt-sentences.ts";

/** Explains recorded decisions and audit records of a request in sentences, in chronological order. */
export function explanationsOf(requests: readonly RecordedDecision[], events: readonly AuditRecord[]): string[] {
  const repeated =
    requests.length > 1
      ? [`${requests.length} requests have this id: the client chose it, or repeated a request.`]
      : [];
  const unrecorded =
    requests.length === 0 ? ["The request is not in the record of decisions, only in the audit trail."] : [];
  return [...repeated, ...unrecorded, ...requests.flatMap(aboutDecision), ...events.flatMap(aboutRecord)];
}

function aboutDecision(decision: RecordedDecision): string[] {
  return [
    `${decision.at.toISOString()}: ${decision.method} ${decision.route} was answered with ${decision.status}` +
      `${decision.code ? ` (${decision.code})` : ""} after ${decision.durationMs.toFixed(1)} ms.`,
    callerOf(decision),
    ...reasonOf(decision),
    ...decision.limits.map(aboutLimit),
    ...countersOf(decision),
    ...decision.claims.flatMap(aboutClaim),
    ...(decision.retryAfterSeconds === null
      ? []
      : [`The client was told to try again after ${decision.retryAfterSeconds} s.`]),
    ...(decision.traceId === null ? [] : [`Its trace is ${decision.traceId}.`]),
  ];
}

const CALLER_NAMES: Readonly<Record<string, string>> = { user: "user ", api_key: "API key ", trust: "trust " };

function callerOf({ userId, callerType, organizationId, network }: RecordedDecision): string {
  const from = network === null ? "" : ` It came from ${network}.`;
  return userId === null
    ? `No caller was identified.${from}`
    : `The caller was ${CALLER_NAMES[callerType ?? ""] ?? ""}${userId} ${placeOf(organizationId)}.${from}`;
}

function placeOf(organizationId: string | null): string {
  return organizationId === null ? "without an organization" : `in organization ${organizationId}`;
}

function reasonOf({ code, rule, bound, status }: RecordedDecision): string[] {
  if (code === null) return [status >= 400 ? "A page showed the refusal." : "It was not refused."];
  const decided = `The rule that decided: ${(rule ?? code).replace(/\.$/, "")}.`;
  const sentence = sentenceOfRule(rule ?? "");
  if (sentence !== undefined) return [decided, sentence];
  const text = bound !== null && bound in BOUNDS ? BOUNDS[bound as Bound].replaceAll("`", "") : undefined;
  return text === undefined ? [decided] : [decided, `The bound ${bound} turned it away: ${text}.`];
}

function aboutLimit({ name, limit, windowSeconds, remaining, resetSeconds }: LimitState): string {
  return (
    `The limit ${name} allows ${limit} in ${windowSeconds} s; ${remaining} were left after this request, and the ` +
    `window ended ${resetSeconds} s later.`
  );
}

function countersOf({ counters }: RecordedDecision): string[] {
  const values = Object.entries(counters).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`);
  return values.length === 0 ? [] : [`At that moment: ${values.join(", ")}.`];
}

/** A released claim needs no explanation. */
const CLAIM_SENTENCES: Readonly<Record<ClaimOutcome, string | undefined>> = {
  released: undefined,
  withheld:
    "was withheld: the scope, or a consent that names the data, is not granted, or an API of the token lacks it",
  absent: "is absent: its source has no value",
  error: "is absent: the evaluation of its expression failed, such as by a key that does not exist",
  truncated: "was cut or left out for the size; claims_truncated names it",
};

function aboutClaim({ claim, outcome }: ClaimRecord): string[] {
  const sentence = CLAIM_SENTENCES[outcome];
  return sentence === undefined ? [] : [`The claim ${claim} ${sentence}.`];
}

/** A refused sign-in through a connection has the sentence that administrators of the organization read. */
function aboutRecord(record: AuditRecord): string[] {
  const { action, outcome, metadata } = record;
  const reason = action === "auth.sso.login" && outcome === "failure" ? String(metadata.reason) : "";
  const sentences: Readonly<Record<string, string>> = ATTEMPT_SENTENCES;
  const sentence = Object.hasOwn(sentences, reason) ? sentences[reason] : undefined;
  return sentence === undefined ? [aboutEvent(record)] : [aboutEvent(record), sentence];
}

function aboutEvent({ timestamp, action, outcome, actorId, actorType, metadata }: AuditRecord): string {
  const details = Object.entries(metadata).map(([name, value]) => `${name} ${value}`);
  const actor = actorId === null ? "" : ` of ${CALLER_NAMES[actorType] ?? ""}${actorId}`;
  return (
    `${timestamp.toISOString()}: the audit trail has ${action} (${outcome})${actor}` +
    `${details.length === 0 ? "" : `: ${details.join(", ")}`}.`
  );
}

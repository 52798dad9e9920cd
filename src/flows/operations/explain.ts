import { type Refusal, refusal } from "../../base/problem.ts";
import { timeOfUuid } from "../../base/random.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Database } from "../../database/database.ts";
import {
  EXPLAINED_ENTRIES_MAX,
  EXPLAINED_ENTRIES_WITHIN_MS,
  EXPLAINED_REQUESTS_MAX,
} from "../../limits/decision-limits.ts";
import { type AuditRecord, findEntriesOfRequest } from "../../models/audit/audit-log.ts";
import { findDecisions, type RecordedDecision } from "../../models/decision/decision.ts";
import { explanationsOf } from "../steps/audit/explain-decision.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";

/**
 * The reasons for the responses to requests with one id. Clients may repeat an id, so several requests are possible.
 */
export interface Explanation {
  readonly requestId: string;
  readonly requests: readonly RecordedDecision[];
  readonly events: readonly AuditRecord[];
  /** The events and the deciding rule, in sentences for support staff. */
  readonly sentences: readonly string[];
}

type ExplainDeps = { readonly database: Database };

const NOT_RECORDED = refusal(
  "not_found",
  "Nothing is recorded of this request. All refusals are, for as long as SERVICE_DECISION_LOG_DAYS says, and one in " +
    "a hundred of the other requests, without probes, documents and what pages load; at most twenty a second.",
);

/**
 * GET /v1/admin/requests/:request_id (docs/contract.md, section 14.11), for a platform viewer; a role in an
 * organization does not suffice.
 */
export async function explainRequest(
  deps: ExplainDeps,
  { requestId }: { readonly caller: PlatformCaller; readonly requestId: string },
): Promise<Result<Explanation, Refusal<"not_found">>> {
  return await explainAnyRequest(deps, requestId);
}

/** Explains requests without a caller, for the command line, which has access to the database. */
export async function explainAnyRequest(
  { database }: ExplainDeps,
  requestId: string,
): Promise<Result<Explanation, Refusal<"not_found">>> {
  const id = requestId.toLowerCase();
  const requests = await database.run("decision.find", (sql) => findDecisions(sql, id, EXPLAINED_REQUESTS_MAX));
  const span = spanOf(id, requests);
  const events = span
    ? await database.run("audit.find_of_request", (sql) => findEntriesOfRequest(sql, id, span, EXPLAINED_ENTRIES_MAX))
    : [];
  if (requests.length === 0 && events.length === 0) return err(NOT_RECORDED);
  return ok({ requestId: id, requests, events, sentences: explanationsOf(requests, events) });
}

/** The time of the requests: as recorded, else from an id made by this service (UUID version 7). */
function spanOf(id: string, requests: readonly RecordedDecision[]): { from: Date; to: Date } | undefined {
  const [first, last] = [requests[0], requests.at(-1)];
  const from = first ? first.at.getTime() - first.durationMs : timeOfUuid(id);
  if (from === undefined) return undefined;
  const to = last ? last.at.getTime() : from;
  return { from: new Date(from - EXPLAINED_ENTRIES_WITHIN_MS), to: new Date(to + EXPLAINED_ENTRIES_WITHIN_MS) };
}

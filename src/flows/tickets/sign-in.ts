import { hashOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { consumeTicket, findTicket, type Ticket } from "../../models/mailed-token/mailed-token.ts";
import { findSignInCandidate, type SignInCandidate } from "../../models/user/sign-in-candidate.ts";
import { lockUnchangedUserForUpdate } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { admitOwnMethod, closedRefusal, type NotAdmitted } from "../steps/sign-in/admit-candidate.ts";
import { completeFirstFactor, type SignInOutcome } from "../steps/sign-in/complete-first-factor.ts";
import { CHANGED_MEANWHILE } from "../steps/sign-in/complete-sign-in.ts";
import { recordRefusedSignIn } from "../steps/sign-in/record-refused-sign-in.ts";

/** One identical response for every reason (docs/contract.md, section 36.6). */
const REFUSED = refusal("authentication_required", "The ticket was used or has expired.");
const METHOD = "ticket";

type FailureReason = NotAdmitted | "no_live_ticket" | "used_meanwhile";

export interface TicketInput {
  readonly token: string;
  readonly client: RequestContext;
}

export interface TicketSignIn {
  readonly outcome: SignInOutcome;
  /** A path of the service; null: the account. */
  readonly redirectTo: string | null;
}

/** A live ticket for its page: nothing is consumed. Undefined for every other text. */
export async function readTicket(
  deps: Pick<Deps, "clock" | "database">,
  token: string | undefined,
): Promise<Ticket | undefined> {
  const tokenHash = hashOpaqueToken(token);
  if (!tokenHash) return undefined;
  const at = new Date(deps.clock.now());
  return await deps.database.run("ticket.find", (sql) => findTicket(sql, tokenHash, at));
}

/**
 * POST /v1/auth/tickets (docs/contract.md, section 36.6): a ticket is a first factor, once. A ticket that an
 * organization refuses, or that a full signing pool defers, remains unused. No controlling proof: the program, and not
 * the mailbox, delivered the ticket; and no trusted browser replaces the second factor.
 */
export async function signInWithTicket(
  deps: SignInDeps,
  { token, client }: TicketInput,
): Promise<Result<TicketSignIn, Refusal<"authentication_required" | "forbidden" | "rate_limited" | "sso_required">>> {
  const ticket = await readTicket(deps, token);
  const candidate = ticket && (await findCandidate(deps, ticket, client));
  const outcome = await complete(deps, { token, ticket, candidate, client });
  if (outcome.ok) return ok({ outcome: outcome.value, redirectTo: ticket?.redirectTo ?? null });
  const reason = outcome.error;
  if (typeof reason !== "string") return err(reason);
  await recordRefusedSignIn(deps, { method: METHOD, reason, candidate, client });
  return err(closedRefusal(candidate, reason) ?? { ...REFUSED, cause: reason });
}

function findCandidate(deps: SignInDeps, { userId }: Ticket, client: RequestContext) {
  const at = new Date(deps.clock.now());
  const question = { userAgent: client.userAgent, method: METHOD, address: client.ipAddress, at } as const;
  return deps.database.run("user.find_sign_in_candidate", (sql) => findSignInCandidate(sql, { userId }, question));
}

interface FoundTicket extends TicketInput {
  readonly ticket: Ticket | undefined;
  readonly candidate: SignInCandidate | undefined;
}

async function complete(
  deps: SignInDeps,
  { token, ticket, candidate, client }: FoundTicket,
): Promise<Result<SignInOutcome, FailureReason | Refusal<"rate_limited">>> {
  const tokenHash = hashOpaqueToken(token);
  if (!ticket || !tokenHash) return err("no_live_ticket");
  const admitted = admitOwnMethod(deps, candidate);
  if (!admitted.ok) return admitted;
  const { userId } = admitted.value;
  const at = new Date(deps.clock.now());
  const entry = userAuditEvent(deps, admitted.value, client, {
    action: "auth.ticket.consumed",
    at,
    metadata: { purpose: "sign_in", credential: ticket.issuedBy },
  });
  const outcome = await completeFirstFactor(deps, {
    candidate: admitted.value,
    authMethod: METHOD,
    client,
    allow: (sql, membership) => lockUnchangedUserForUpdate(sql, admitted.value, sql`from ${membership}`),
    consume: (sql, allowed) => consumeTicket(sql, userId, tokenHash, at, sql`from ${allowed}`),
    record: (sql, account) => insertAudit(sql, entry, sql`from ${account}`),
  });
  if (outcome.ok) return outcome;
  return err(outcome.error === CHANGED_MEANWHILE ? "used_meanwhile" : outcome.error);
}

import { NOT_SIGNED_IN, type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertAudit, recordAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import {
  findIdentityOwner,
  forgetUnlinked,
  hashIdentity,
  identityLabel,
  linkIdentity,
  type NewIdentity,
} from "../../models/identity/identity.ts";
import { findActingSession } from "../../models/session/acting-session.ts";
import type { SessionView } from "../../models/session/session.ts";
import { lockUser } from "../../models/user/user.ts";
import type { Identity, IdentityFailure } from "../../providers/identity/identity-provider.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { identifyCaller } from "../steps/authorization/identify-caller.ts";
import { composeEmailTo, noticeDetails } from "../steps/email/compose-email.ts";
import { admitResponse } from "../steps/sessions/organization-rules.ts";
import { identityRefusal } from "../steps/sign-in/identity-problem.ts";

/** One problem for a state that is unknown, used, expired, or issued to another provider, browser or session. */
export const UNKNOWN_STATE = refusal(
  "authentication_required",
  "The sign-in has expired. Start again.",
  "unknown state",
);
export const NO_PROVIDER = refusal("not_found", "There is no such sign-in method.");
export const LINKED = { status: "linked" } as const;
/** The response names neither user (docs/contract.md, section 16.6). */
const ANOTHER_USER = refusal("conflict", "This account at the provider is linked to another account here.");

/** The result of the provider; undefined for a provider that is switched off. */
export type Identified = Result<Identity, IdentityFailure> | undefined;

export interface LinkInput {
  readonly provider: string;
  /** The session that began the link. */
  readonly sessionId: string;
  readonly accessToken: string | undefined;
  readonly identified: Identified;
  readonly client: RequestContext;
}

type LinkProblem = "authentication_required" | "conflict" | "forbidden" | "internal_error" | "not_found";

/**
 * The callback of a link (docs/contract.md, section 16.6): links the identity to the user of the session that began the
 * link. A browser with another session is refused; an expired access token is accepted while the session is live.
 */
export async function completeLink(
  deps: SignInDeps,
  { provider, sessionId, accessToken, identified, client }: LinkInput,
): Promise<Result<typeof LINKED, Refusal<LinkProblem>>> {
  const present = await identifyCaller(deps, accessToken);
  if (present.ok && present.value.id !== sessionId) return err(UNKNOWN_STATE);
  const caller = await deps.revocations.session(sessionId);
  if (!caller) return err(UNKNOWN_STATE);
  const admitted = admitResponse(caller, client, undefined);
  if (!admitted.ok) return admitted;
  if (!identified) return err(NO_PROVIDER);
  if (!identified.ok) return err(identityRefusal(identified.error));
  const { issuer, subject } = identified.value;
  const label = identityLabel(identified.value);
  return await persistLink(deps, caller, { provider, issuer, subject, label }, client);
}

async function persistLink(
  deps: SignInDeps,
  caller: SessionView,
  identity: NewIdentity,
  client: RequestContext,
): Promise<Result<typeof LINKED, Refusal<"authentication_required" | "conflict">>> {
  const { userId } = caller;
  const { provider } = identity;
  const at = new Date(deps.clock.now());
  const values = { ...noticeDetails(client, at), provider: deps.identityProviders.name(provider), by_user: true };
  const mail = await composeEmailTo(deps, caller, { mail: { kind: "identity_linked", values }, client, at });
  const event = { action: "auth.oauth.linked", at, metadata: { provider } } as const;
  const outcome = await deps.database.transaction("identity.link", async (sql) => {
    // A separate statement: the snapshot of the next statement includes everything committed before the lock.
    await lockUser(sql, userId);
    const acting = await findActingSession(sql, caller, at);
    if (!acting || (acting.mfaEnabled && acting.aal !== "aal2")) return err(NOT_SIGNED_IN);
    await forgetUnlinked(sql, userId, hashIdentity(deps.addressKey, identity));
    const [linked] = await sql`
      with linked as (${linkIdentity(sql, identity, userId, at)}),
      email as (${insertEmail(sql, mail, sql`from linked`)}),
      audit as (${insertAudit(sql, userAuditEvent(deps, caller, client, event), sql`from linked`)})
      select 1 from linked`;
    if (linked) return ok(LINKED);
    return (await findIdentityOwner(sql, identity))?.userId === userId ? ok(LINKED) : err(ANOTHER_USER);
  });
  if (outcome.ok) deps.outbox.wake();
  else if (outcome.error === ANOTHER_USER) {
    const metadata = { provider, reason: "linked_to_another_user" };
    const entry = userAuditEvent(deps, caller, client, { ...event, outcome: "failure", metadata });
    await deps.database.run("audit.record", (sql) => recordAudit(sql, entry));
  }
  return outcome;
}

import { NOT_SIGNED_IN, type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import {
  deleteIdentity,
  findIdentity,
  hashIdentity,
  type IdentityKey,
  rememberUnlinked,
} from "../../models/identity/identity.ts";
import { type ActingSession, findActingSession } from "../../models/session/acting-session.ts";
import type { SessionView } from "../../models/session/session.ts";
import { renewCredentialsEpoch } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { confirmIdentity } from "../steps/authorization/confirm-identity.ts";
import { requireOtherMethod } from "../steps/credentials/require-other-method.ts";
import { composeEmailTo, noticeDetails } from "../steps/email/compose-email.ts";

export interface UnlinkInput {
  readonly caller: SessionView;
  /** The result of `authorizeCredentialChange`. */
  readonly acting: ActingSession;
  readonly id: string;
  readonly password: string | undefined;
  readonly client: RequestContext;
}

const NO_IDENTITY = refusal("not_found", "There is no such linked provider.");

type UnlinkProblem = "authentication_required" | "conflict" | "mfa_required" | "not_found" | "rate_limited";

/**
 * DELETE /v1/users/me/identities/:id (docs/contract.md, section 16.7): unlinks an identity and remembers the identity
 * by keyed hash. Pending sign-ins end with the epoch. `conflict` means the last way to sign in.
 */
export async function unlinkIdentity(
  deps: SignInDeps,
  input: UnlinkInput,
): Promise<Result<void, Refusal<UnlinkProblem>>> {
  const confirmed = await confirmIdentity(deps, input);
  if (!confirmed.ok) return confirmed;
  const { id, caller } = input;
  const identity = await deps.database.run("identity.find", (sql) => findIdentity(sql, id, caller.userId));
  return identity ? await persistUnlink(deps, input, identity) : err(NO_IDENTITY);
}

async function persistUnlink(
  deps: SignInDeps,
  { caller, id, client }: UnlinkInput,
  identity: IdentityKey,
): Promise<Result<void, Refusal<"authentication_required" | "conflict" | "not_found">>> {
  const { userId } = caller;
  const { provider } = identity;
  const at = new Date(deps.clock.now());
  const values = { ...noticeDetails(client, at), provider: deps.identityProviders.name(provider) };
  const mail = await composeEmailTo(deps, caller, { mail: { kind: "identity_unlinked", values }, client, at });
  const event = { action: "auth.identity.unlinked", at, metadata: { provider } } as const;
  const outcome = await deps.database.transaction("identity.unlink", async (sql) => {
    const permitted = await requireOtherMethod(deps, sql, { userId, id });
    if (!permitted.ok) return permitted;
    const acting = await findActingSession(sql, caller, at);
    if (!acting || (acting.mfaEnabled && acting.aal !== "aal2")) return err(NOT_SIGNED_IN);
    const from = sql`from unlinked`;
    const [unlinked] = await sql`
      with unlinked as (${deleteIdentity(sql, id, userId)}),
      account as (${renewCredentialsEpoch(sql, userId, at, from)}),
      email as (${insertEmail(sql, mail, from)}),
      audit as (${insertAudit(sql, userAuditEvent(deps, caller, client, event), from)})
      select 1 from unlinked`;
    if (!unlinked) return err(NO_IDENTITY);
    await rememberUnlinked(sql, userId, hashIdentity(deps.addressKey, identity), at);
    return ok(undefined);
  });
  if (outcome.ok) deps.outbox.wake();
  return outcome;
}

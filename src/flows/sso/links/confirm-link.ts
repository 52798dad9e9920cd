import { NOT_SIGNED_IN, type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { type Sql, violatedConstraint } from "../../../database/database.ts";
import { lockMembership } from "../../../models/member/members.ts";
import { findActivePower } from "../../../models/member/provisioned-user.ts";
import { findActingSession } from "../../../models/session/acting-session.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { lockUsableConnection } from "../../../models/sso-connection/connection-use.ts";
import type { IdentityListItem } from "../../../models/sso-identity/identity-list.ts";
import {
  findIdentityOfUser,
  findSsoIdentity,
  isIdentityConstraint,
} from "../../../models/sso-identity/sso-identity.ts";
import { consumeSsoOutcome, type OfferedIdentity, type OutcomeProof } from "../../../models/sso-request/sso-outcome.ts";
import { lockUser } from "../../../models/user/user.ts";
import type { SsoDeps, UsableConnection } from "../sign-in/connection.ts";
import { linkSubject, notifyLinked, takeOverLink } from "../sign-in/link-subject.ts";
import { ALREADY_LINKED } from "./begin-link.ts";
import { findOfferedLink, NO_LINK } from "./read-link.ts";

const CHANGED = refusal("conflict", "The settings of the connection have changed. Start again.");
/** The response names no user. */
const ANOTHER_USER = refusal("conflict", "This company account is linked to another account here.");

type ConfirmProblem = Refusal<"authentication_required" | "conflict" | "not_found">;

export interface LinkConfirmation {
  readonly caller: SessionView;
  readonly id: string;
  readonly client: RequestContext;
}

/**
 * POST /v1/users/me/sso-links/:id/confirm (docs/contract.md, section 29.16): links the displayed subject to the user of
 * the session that began the link, once. The user's role is irrelevant: the user decides in person.
 */
export async function confirmSsoLink(
  deps: SsoDeps,
  { caller, id, client }: LinkConfirmation,
): Promise<Result<IdentityListItem, ConfirmProblem>> {
  const found = await findOfferedLink(deps, { caller, id });
  if (!found.ok) return found;
  const link = { ...found.value, caller, client };
  const linked = await deps.database
    .transaction("sso_link.confirm", (sql) => persistLink(deps, sql, link))
    .catch((error) => {
      if (isIdentityConstraint(violatedConstraint(error))) return err(ANOTHER_USER);
      throw error;
    });
  if (linked.ok) deps.outbox.wake();
  return linked;
}

interface ConfirmedLink {
  readonly connection: UsableConnection;
  readonly identity: OfferedIdentity;
  readonly proof: OutcomeProof;
  readonly caller: SessionView;
  readonly client: RequestContext;
  readonly at: Date;
}

async function persistLink(
  deps: SsoDeps,
  sql: Sql,
  { connection, identity, proof, caller, client, at }: ConfirmedLink,
): Promise<Result<IdentityListItem, ConfirmProblem>> {
  const { id: connectionId, organizationId } = connection;
  const { userId } = caller;
  const { subject, revision } = identity;
  if (!(await consumeSsoOutcome(sql, proof, at))) return err(NO_LINK);
  if (!(await lockUsableConnection(sql, { id: connectionId, revision }))) return err(CHANGED);
  const refused = await refuseUser(sql, { organizationId, caller, at });
  if (refused) return err(refused);
  const holder = await findSsoIdentity(sql, connectionId, subject);
  if (holder && holder.userId !== userId) return err(ANOTHER_USER);
  const existing = await findIdentityOfUser(sql, connectionId, userId);
  if (existing && (existing.linkedBy === "user" || existing.id !== holder?.id)) return err(ALREADY_LINKED);
  const link = { connection, subject, userId, linkedBy: "user", client, at } as const;
  const id = existing ? await takeOverLink(deps, sql, existing.id, link) : await linkSubject(deps, sql, link);
  await notifyLinked(deps, sql, link);
  return ok({
    id,
    connectionId,
    userId,
    email: caller.email,
    subject,
    linkedBy: "user",
    createdAt: at,
    lastUsedAt: at,
  });
}

/** Locks membership, user and session in the order of a sign-in, and checks all three again. */
async function refuseUser(
  sql: Sql,
  { organizationId, caller, at }: { readonly organizationId: string; readonly caller: SessionView; readonly at: Date },
): Promise<Refusal<"authentication_required" | "not_found"> | undefined> {
  const { userId } = caller;
  await lockMembership(sql, organizationId, userId);
  await lockUser(sql, userId);
  const acting = await findActingSession(sql, caller, at);
  if (!acting || (acting.mfaEnabled && acting.aal !== "aal2")) return NOT_SIGNED_IN;
  return (await findActivePower(sql, organizationId, userId)) === undefined ? NO_LINK : undefined;
}

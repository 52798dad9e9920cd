import type { Sql } from "../../../database/database.ts";
import type { SessionEvent } from "../../../models/session/revocation.ts";
import { findSignInCandidate } from "../../../models/user/sign-in-candidate.ts";
import { confirmMailboxOwnership } from "../../steps/credentials/confirm-mailbox-ownership.ts";
import type { SsoDeps } from "./connection.ts";
import type { ProvisioningInput } from "./provisioning-input.ts";

/**
 * Records the first controlling proof of an account, and ends the credentials of before, in the transaction of the
 * membership: the user who registered the address of an employee never becomes a member. `provenEmail`: in a verified
 * domain of the organization. Returns the events to announce after the commit.
 */
export async function confirmAssertedMailbox(
  deps: SsoDeps,
  sql: Sql,
  { connection: { id: connectionId, organizationId }, asserted, client, at }: ProvisioningInput,
  userId: string,
  provenEmail: string | undefined,
): Promise<readonly SessionEvent[]> {
  const user = await findSignInCandidate(sql, { userId }, { at });
  if (!user || user.isMailboxOwner || user.email !== provenEmail) return [];
  const companyAccount = { connectionId, subject: asserted.subject };
  const proof = { kind: "single_sign_on", companyAccount } as const;
  return await confirmMailboxOwnership(deps, sql, { user: { ...user, organizationId }, proof, client, at });
}

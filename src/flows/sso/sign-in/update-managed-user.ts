import type { Sql } from "../../../database/database.ts";
import { isProvisioned } from "../../../models/directory/directory.ts";
import type { SessionEvent } from "../../../models/session/revocation.ts";
import { findManagedUser, releaseIndependentUser, renameManagedUser } from "../../../models/user/managed-user.ts";
import { findOtherHolder } from "../../../models/user-email/user-email.ts";
import { replaceManagedAddress } from "../../user-emails/replace-managed-address.ts";
import type { SsoDeps } from "./connection.ts";
import type { ProvisioningInput } from "./provisioning-input.ts";

export interface UpdatedUser {
  /** Announced after the commit. */
  readonly events: readonly SessionEvent[];
  /** `address_taken`: the asserted address belongs to another user, and the address of the member stays. */
  readonly warning: "address_taken" | null;
}

const UNCHANGED: UpdatedUser = { events: [], warning: null };

interface AssertedUser {
  readonly userId: string;
  /** In a verified domain of the organization. */
  readonly provenEmail: string | undefined;
  /** The member has a permission that the person behind the connection lacks. */
  readonly isAbove: boolean;
}

/**
 * Applies the asserted name and address to a member whom the organization manages; other members keep both. A member
 * above the power behind the connection keeps the address: the mailbox of a new address resets the password.
 */
export async function updateManagedUser(
  deps: SsoDeps,
  sql: Sql,
  input: ProvisioningInput,
  { userId, provenEmail, isAbove }: AssertedUser,
): Promise<UpdatedUser> {
  const { connection, asserted, client, at } = input;
  // An active directory decides about name and address of its users.
  if (await isProvisioned(sql, connection.organizationId, userId)) return UNCHANGED;
  await releaseIndependentUser(sql, userId, connection.organizationId);
  const user = await findManagedUser(sql, userId, connection.organizationId);
  if (!user) return UNCHANGED;
  const { displayName } = asserted;
  if (displayName !== undefined && displayName !== user.displayName) {
    await renameManagedUser(sql, userId, displayName, at);
  }
  if (isAbove || provenEmail === undefined || provenEmail === user.email) return UNCHANGED;
  if (await findOtherHolder(sql, provenEmail, userId, at)) return { events: [], warning: "address_taken" };
  const { organizationId } = connection;
  const actor = { userId, organizationId };
  const change = { user, organizationId, email: provenEmail, actor, source: "sso", client, at } as const;
  return { events: await replaceManagedAddress(deps, sql, change), warning: null };
}

/** The memory of removals (docs/contract.md, section 29.12): a person does not return silently, by any account. */
import type { Sql } from "../../../database/database.ts";
import type { Deps } from "../../../deps.ts";
import { MEMBER_REMOVAL_LIFETIME_MS } from "../../../limits/sso-limits.ts";
import {
  deleteRemovals,
  isRemoved,
  listControlledAddresses,
  type RemovedPerson,
  recordRemoval,
} from "../../../models/member/removal.ts";
import { hashAddress } from "../../../models/user/email-address.ts";

type HashDeps = Pick<Deps, "addressKey">;

/** Removals before this time do not count. */
export function removalsSince(at: Date): Date {
  return new Date(at.getTime() - MEMBER_REMOVAL_LIFETIME_MS);
}

/** The account with all controlled addresses. */
export async function findUserWithAddresses(
  deps: HashDeps,
  sql: Sql,
  userId: string,
): Promise<Required<RemovedPerson>> {
  const addresses = await listControlledAddresses(sql, userId);
  return { userId, addressHashes: addresses.map((email) => hashAddress(deps.addressKey, email)) };
}

/** Keeps a removal with the addresses that the former member controls. */
export async function rememberRemoval(
  deps: HashDeps,
  sql: Sql,
  organizationId: string,
  userId: string,
  at: Date,
): Promise<void> {
  await recordRemoval(sql, organizationId, await findUserWithAddresses(deps, sql, userId), at);
}

/** An accepted invitation, or the directory, lifts a removal. */
export async function liftRemoval(deps: HashDeps, sql: Sql, organizationId: string, userId: string): Promise<void> {
  await deleteRemovals(sql, organizationId, await findUserWithAddresses(deps, sql, userId));
}

/** Whether the organization removed a member with this address. */
export async function isRemovedAddress(
  deps: HashDeps,
  sql: Sql,
  organizationId: string,
  email: string,
  at: Date,
): Promise<boolean> {
  const person = { addressHashes: [hashAddress(deps.addressKey, email)] };
  return await isRemoved(sql, organizationId, person, removalsSince(at));
}

/**
 * The owner of a second factor: a user in own sessions, or a member in the sessions of single sign-on of one
 * organization (docs/contract.md, section 29.18).
 */
export type FactorOwner = UserFactorOwner | MemberFactorOwner;

interface UserFactorOwner {
  readonly userId: string;
  readonly organizationId: null;
}

export interface MemberFactorOwner {
  readonly userId: string;
  readonly organizationId: string;
}

export function isMemberFactor(owner: FactorOwner): owner is MemberFactorOwner {
  return owner.organizationId !== null;
}

/** The owner in sealed data and keyed hashes: a value copied to a different owner matches nothing. */
export function factorOwnerKey({ userId, organizationId }: FactorOwner): string {
  return organizationId === null ? userId : `${organizationId}:${userId}`;
}

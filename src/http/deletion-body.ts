import type { PendingDeletion } from "../flows/steps/deletion/close-account.ts";

/** docs/contract.md, section 30.2. */
export function userDeletionBody({ id, requestedAt, dueAt, organizations }: PendingDeletion) {
  return {
    id,
    requested_at: requestedAt.toISOString(),
    deletion_at: dueAt.toISOString(),
    organizations: organizations.map(({ id: organizationId, name, slug }) => ({ id: organizationId, name, slug })),
  };
}

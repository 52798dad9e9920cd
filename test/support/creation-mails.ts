/** The emails to an owner about what members created, and what the outbox finds when the outbox is woken. */
import type { Flows } from "./flows.ts";

export function creationMails(flows: Flows, ownerEmail: string) {
  const kinds = async () =>
    (await flows.emailsTo(ownerEmail)).map(({ mail }) => mail.kind).filter((kind) => kind.endsWith("_creations"));
  let found: Promise<readonly string[]> = Promise.resolve([]);
  const wake = () => {
    found = kinds();
  };
  const deps = { ...flows.deps, outbox: { ...flows.deps.outbox, wake } };
  return { deps, kinds, foundByOutbox: () => found };
}

/** Inserts an open invitation by each of the members. */
export async function inviteBy(
  { sql }: Pick<Flows, "sql">,
  organizationId: string,
  userIds: readonly string[],
): Promise<void> {
  await sql`
    insert into invitations (id, organization_id, email, role, token_hash, invited_by, created_at, expires_at)
    select uuidv7(), ${organizationId}::uuid, id || '@guests.test', 'member',
           sha256((${organizationId}::text || id)::bytea), id, now(), now() + interval '10 years'
    from unnest(${[...userIds]}::uuid[]) id`;
}

/** Applications of demo organizations: a request, a decision, and an organization that admits approved applications. */
import type postgres from "postgres";
import { DEFAULT_POLICY } from "../../src/vocabulary/policy-settings.ts";

interface Person {
  readonly userId: string;
  readonly organizationId: string;
}

interface Readers {
  readonly owner: Person;
  readonly member: Person;
  readonly newcomer: Person;
}

export async function fillApplications(sql: postgres.Sql, { owner, member, newcomer }: Readers): Promise<void> {
  const settings = { ...DEFAULT_POLICY, thirdPartyClients: "approved" };
  await sql`
    insert into organization_applications (organization_id, client_id, status, requested_by, requested_at, decided_at)
    select ${owner.organizationId}, id, case name when 'Acme Wiki' then 'approved' else 'requested' end,
           ${member.userId}, now() - interval '1 day', case name when 'Acme Wiki' then now() end
    from oauth_clients`;
  await sql`
    insert into organization_policies (organization_id, settings, policies_at, revision, updated_at)
    values (${newcomer.organizationId}, ${sql.json(settings as never)}, now(), 1, now())`;
}

/** The factor that an organization requires after single sign-on (docs/contract.md, section 29.18). */

import type { Fragment, Sql } from "../../database/database.ts";
import type { FactorOwner, MemberFactorOwner } from "../../vocabulary/factor-owner.ts";

interface SessionScope {
  readonly userId: string;
  readonly organizationId: string;
  readonly organizationBound: boolean;
}

/** The owner of the second factor that a session can verify. */
export function factorOwnerOf(session: SessionScope): FactorOwner {
  return memberFactorOwner(session) ?? { userId: session.userId, organizationId: null };
}

/** The owner of the factor for a session of single sign-on; undefined for other sessions. */
export function memberFactorOwner({
  userId,
  organizationId,
  organizationBound,
}: SessionScope): MemberFactorOwner | undefined {
  return organizationBound ? { userId, organizationId } : undefined;
}

/** Expression about the session `s`: the factor that the organization requires after single sign-on. */
export function ownFactorState(sql: Sql): Fragment {
  return sql`
    case when not s.organization_bound or not exists (
           select 1 from sso_policies p where p.organization_id = s.organization_id and p.require_own_factor
         ) then 'off'
         when s.own_factor_at is null then 'required' else 'verified' end`;
}

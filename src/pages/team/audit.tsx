/** `/team/audit`: the audit trail of the session's organization. */
import { clampPage, type Listing } from "../../database/listing.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { listAuditLogs } from "../../flows/audit/list.ts";
import { nameMembers, type Parties, usersOf } from "../../flows/audit/name-parties.ts";
import { authorizeOrganizationAudit } from "../../flows/steps/authorization/authorize-audit-read.ts";
import type { AuditRecord } from "../../models/audit/audit-log.ts";
import type { Profile } from "../../models/user/profile.ts";
import { type AuditFilters, boundsOf, filtersIn, TEAM_AUDIT } from "../admin/audit/audit-filters.ts";
import { Entries } from "../admin/audit/entries.tsx";
import { AuditFiltersForm, SearchBound } from "../admin/audit/filters-form.tsx";
import { PartyFilters } from "../admin/audit/view.tsx";
import type { FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { EmptyBox, Pages } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { authenticatedPage, type Page, pageNumber, pathWith } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";

const PER_PAGE = 25;

export function teamAuditPage(deps: SignedInUserDeps & StoreDeps & Pick<Deps, "reads">): Page {
  return authenticatedPage({
    path: TEAM_AUDIT,
    ofOrganization: true,
    async get(call) {
      const { session } = call.caller;
      const [{ profile, view }, caller] = await Promise.all([
        signedInUser(deps, call),
        authorizeOrganizationAudit(deps, { session }, session.organizationId),
      ]);
      const { t } = view;
      if (!caller.ok) return refusedPage(view, caller.error, { forbidden: t.organizationAudit.notYours });
      const filters = { ...filtersIn(call.query), organization_id: "" };
      const page = clampPage(pageNumber(call.query), PER_PAGE);
      const listed = await listAuditLogs(deps, {
        caller: caller.value,
        actorId: filters.user_id || undefined,
        actor: filters.actor,
        q: filters.q,
        action: filters.action || undefined,
        outcome: filters.outcome || undefined,
        ...boundsOf(filters, deps.clock.now(), view.dates.timeZone),
        page,
      });
      const listing = listed.ok ? listed.value : { ...page, items: [], total: 0 };
      const users = [...usersOf(listing.items), filters.user_id || null];
      const parties = await nameMembers(deps, caller.value, users);
      const state = listed.ok ? {} : { problem: t.audit.badPeriod };
      const body = <TrailBody {...{ profile, filters, listing, parties, state }} />;
      const parts = listed.ok ? {} : refusedParts(listed.error);
      return showPage(view, { title: t.audit.title, body, islands: ["local-times"], ...parts });
    },
  });
}

interface TrailProps {
  readonly profile: Profile;
  readonly filters: AuditFilters;
  readonly listing: Listing<AuditRecord>;
  readonly parties: Parties;
  readonly state: FormState;
}

function TrailBody({ profile, filters, listing, parties, state }: TrailProps) {
  const { t } = useView();
  return (
    <Shell at={TEAM_AUDIT} profile={profile}>
      <header class="head">
        <div>
          <h1>{t.audit.title}</h1>
          <p class="soft">{t.organizationAudit.lead}</p>
          <p class="soft num">{t.audit.count({ total: listing.total })}</p>
        </div>
      </header>
      <Problem state={state} />
      <AuditFiltersForm filters={filters} trail={TEAM_AUDIT} />
      <PartyFilters filters={filters} parties={parties} trail={TEAM_AUDIT} />
      <SearchBound q={filters.q} />
      <div class="stack">
        {listing.items.length === 0 ? (
          <EmptyBox icon="audit" text={t.audit.none} />
        ) : (
          <Entries records={listing.items} parties={parties} filters={filters} trail={TEAM_AUDIT} />
        )}
        <Pages {...listing} path={pathWith(TEAM_AUDIT, { ...filters })} />
      </div>
    </Shell>
  );
}

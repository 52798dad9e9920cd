/** Audit events of one organization or one user, for the console's pages of each. */
import type { VNode } from "preact";
import { clampPage, type Listing } from "../../../database/listing.ts";
import type { Deps } from "../../../deps.ts";
import { listAuditLogs } from "../../../flows/audit/list.ts";
import { nameParties, type Parties } from "../../../flows/audit/name-parties.ts";
import { auditReader } from "../../../flows/steps/authorization/authorize-audit-read.ts";
import type { AuditRecord } from "../../../models/audit/audit-log.ts";
import { AUDIT } from "../../addresses.ts";
import { EmptyBox, Pages } from "../../components/lists.tsx";
import { pageNumber, pathWith } from "../../page.ts";
import { useView } from "../../view.tsx";
import type { ConsoleCall } from "../console.tsx";
import { type AuditFilters, filtersIn } from "./audit-filters.ts";
import { Entries } from "./entries.tsx";
import { SearchBound, SectionFilters } from "./filters-form.tsx";

interface Subject {
  readonly user_id?: string;
  readonly organization_id?: string;
}

/** The filters of a section. */
type SectionQuery = Pick<AuditFilters, "q" | "action" | "outcome">;
const NO_FILTERS: SectionQuery = { q: "", action: "", outcome: "" };

const PER_PAGE = 25;

interface AuditSectionProps {
  readonly subject: Subject;
  /** The page of the subject. */
  readonly place: string;
  readonly filters: AuditFilters;
  readonly listing: Listing<AuditRecord>;
  readonly parties: Parties;
}

const KEPT = { section: "audit" };

function AuditSection({ subject, place, filters, listing, parties }: AuditSectionProps) {
  const { t } = useView();
  const { q, action, outcome } = filters;
  const path = pathWith(place, { ...KEPT, q, action, outcome });
  const isFiltered = [q, action, outcome].some((value) => value !== "");
  return (
    <section class="stack">
      <div class="line apart">
        <h2>{t.audit.title}</h2>
        <a href={pathWith(AUDIT, { ...subject })}>{t.directory.wholeTrail}</a>
      </div>
      <SectionFilters place={place} kept={KEPT} filters={filters} />
      <SearchBound q={q} />
      {listing.items.length === 0 ? (
        <EmptyBox icon="audit" text={isFiltered ? t.audit.none : t.directory.noActivity} />
      ) : (
        <Entries records={listing.items} parties={parties} />
      )}
      <Pages {...listing} path={path} />
    </section>
  );
}

/**
 * The events whose actor is the user, or the events of the organization, newest first. `place`: the page of the
 * subject.
 */
export async function auditSection(
  deps: Pick<Deps, "reads">,
  call: ConsoleCall,
  subject: Subject,
  place: string,
): Promise<VNode> {
  const page = clampPage(pageNumber(call.query), PER_PAGE);
  const filters = filtersIn(call.query);
  const listing = await readEvents(deps, call, subject, page, filters);
  const parties = await nameParties(deps, call.admin, listing.items);
  return <AuditSection subject={subject} place={place} filters={filters} listing={listing} parties={parties} />;
}

/** A page of events. A filter by id is always valid, so the list has no problem to display. */
export async function readEvents(
  deps: Pick<Deps, "reads">,
  { admin }: ConsoleCall,
  { user_id: actorId, organization_id: organizationId }: Subject,
  page: ReturnType<typeof clampPage>,
  { q, action, outcome }: SectionQuery = NO_FILTERS,
): Promise<Listing<AuditRecord>> {
  const query = {
    caller: auditReader(admin),
    actorId,
    organizationId,
    q,
    action: action || undefined,
    outcome: outcome || undefined,
    from: undefined,
    to: undefined,
  };
  const listed = await listAuditLogs(deps, { ...query, page });
  return listed.ok ? listed.value : { ...page, items: [], total: 0 };
}

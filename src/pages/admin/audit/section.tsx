/** Audit events of one organization or one user, for the console's pages of each. */
import type { VNode } from "preact";
import { clampPage, type Listing } from "../../../database/listing.ts";
import type { Deps } from "../../../deps.ts";
import { listAuditLogs } from "../../../flows/audit/list.ts";
import { nameParties, type Parties } from "../../../flows/audit/name-parties.ts";
import { auditReader } from "../../../flows/steps/authorization/authorize-audit-read.ts";
import type { AuditRecord } from "../../../models/audit/audit-log.ts";
import { Pages } from "../../components/lists.tsx";
import { pageNumber, pathWith } from "../../page.ts";
import { useView } from "../../view.tsx";
import type { ConsoleCall } from "../console.tsx";
import { Entries } from "./entries.tsx";
import { AUDIT } from "./filters.ts";

interface Subject {
  readonly user_id?: string;
  readonly organization_id?: string;
}

const PER_PAGE = 25;

interface AuditSectionProps {
  readonly subject: Subject;
  readonly path: string;
  readonly listing: Listing<AuditRecord>;
  readonly parties: Parties;
}

function AuditSection({ subject, path, listing, parties }: AuditSectionProps) {
  const { t } = useView();
  return (
    <section class="stack">
      <div class="line apart">
        <h2>{t.audit.title}</h2>
        <a href={pathWith(AUDIT, { ...subject })}>{t.directory.wholeTrail}</a>
      </div>
      {listing.items.length === 0 ? (
        <p class="empty soft">{t.directory.noActivity}</p>
      ) : (
        <Entries records={listing.items} parties={parties} />
      )}
      <Pages {...listing} path={path} />
    </section>
  );
}

/** The events whose actor is the user, or the events of the organization, newest first. `path`: this section. */
export async function auditSection(
  deps: Pick<Deps, "reads">,
  call: ConsoleCall,
  subject: Subject,
  path: string,
): Promise<VNode> {
  const page = clampPage(pageNumber(call.query), PER_PAGE);
  const listing = await readEvents(deps, call, subject, page);
  const parties = await nameParties(deps, call.admin, listing.items);
  return <AuditSection subject={subject} path={path} listing={listing} parties={parties} />;
}

/** A page of events. A filter by id is always valid, so the list has no problem to display. */
export async function readEvents(
  deps: Pick<Deps, "reads">,
  { admin }: ConsoleCall,
  { user_id: actorId, organization_id: organizationId }: Subject,
  page: ReturnType<typeof clampPage>,
): Promise<Listing<AuditRecord>> {
  const query = {
    caller: auditReader(admin),
    actorId,
    organizationId,
    action: undefined,
    from: undefined,
    to: undefined,
  };
  const listed = await listAuditLogs(deps, { ...query, page });
  return listed.ok ? listed.value : { ...page, items: [], total: 0 };
}

import type { Listing } from "../../../database/listing.ts";
import type { AuditChart } from "../../../flows/audit/chart.ts";
import type { Parties } from "../../../flows/audit/name-parties.ts";
import type { AuditRecord } from "../../../models/audit/audit-log.ts";
import { AUDIT } from "../../addresses.ts";
import { Chart } from "../../components/chart.tsx";
import { Button, Form, type FormState } from "../../components/form.tsx";
import { EmptyBox, Pages } from "../../components/lists.tsx";
import { Problem } from "../../components/notices.tsx";
import { pathWith } from "../../page.ts";
import { useView } from "../../view.tsx";
import type { AuditFilters, AuditPath } from "./audit-filters.ts";
import { Entries } from "./entries.tsx";
import { AuditFiltersForm, SearchBound } from "./filters-form.tsx";
import { LiveSwitch } from "./live.tsx";

export interface AuditProps {
  readonly filters: AuditFilters;
  readonly listing: Listing<AuditRecord>;
  readonly chart: AuditChart | undefined;
  readonly parties: Parties;
  /** The period of the list, for the export; undefined without an export. */
  readonly exported: { readonly from: string | undefined; readonly to: string | undefined } | undefined;
  readonly state: FormState;
  /** As in `LiveSwitch`. */
  readonly liveEnd: number | undefined;
}

export function AuditBody(props: AuditProps) {
  const { t } = useView();
  const { filters, listing, chart, parties, exported, state, liveEnd } = props;
  const path = pathWith(AUDIT, { ...filters });
  return (
    <>
      <header class="head">
        <div>
          <h1>{t.audit.title}</h1>
          <p class="soft num" data-live="count">
            {t.audit.count({ total: listing.total })}
          </p>
        </div>
        {listing.page === 1 && <LiveSwitch path={path} end={liveEnd} />}
      </header>
      <Problem state={state} />
      <AuditFiltersForm filters={filters} />
      <PartyFilters filters={filters} parties={parties} />
      {chart && <Chart chart={chart} />}
      <SearchBound q={filters.q} />
      <div class="stack" data-live="entries">
        {listing.items.length === 0 ? (
          <EmptyBox icon="audit" text={t.audit.none} />
        ) : (
          <Entries records={listing.items} parties={parties} filters={filters} />
        )}
        <Pages {...listing} path={path} />
      </div>
      {exported && <Export {...exported} />}
    </>
  );
}

interface PartyFiltersProps extends Pick<AuditProps, "filters" | "parties"> {
  readonly trail?: AuditPath;
}

/** The actor and the organization of the filter, with the links that remove each. */
export function PartyFilters({ filters, parties, trail = AUDIT }: PartyFiltersProps) {
  const { t } = useView();
  const { user_id: userId, organization_id: organizationId } = filters;
  return (
    <>
      {userId && (
        <p>
          {t.audit.onlyUser({ email: parties.users.get(userId) ?? userId })} ·{" "}
          <a href={pathWith(trail, { ...filters, user_id: undefined })}>{t.audit.anyone}</a>
        </p>
      )}
      {organizationId && (
        <p>
          {t.events.onlyOrganization} {parties.organizations.get(organizationId) ?? organizationId} ·{" "}
          <a href={pathWith(AUDIT, { ...filters, organization_id: undefined })}>{t.events.clearOrganization}</a>
        </p>
      )}
    </>
  );
}

function Export({ from, to }: NonNullable<AuditProps["exported"]>) {
  const { t } = useView();
  return (
    <Form action={`${AUDIT}/export`} class="toolbar">
      <p class="soft">{t.audit.exportHint}</p>
      <input type="hidden" name="from" value={from ?? ""} />
      <input type="hidden" name="to" value={to ?? ""} />
      <Button>{t.audit.export}</Button>
    </Form>
  );
}

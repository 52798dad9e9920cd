import type { Listing } from "../../../database/listing.ts";
import { AUDIT_ACTIONS } from "../../../flows/audit/actions.ts";
import type { AuditChart } from "../../../flows/audit/chart.ts";
import type { Parties } from "../../../flows/audit/name-parties.ts";
import type { AuditRecord } from "../../../models/audit/audit-log.ts";
import { Chart } from "../../components/chart.tsx";
import { Filters } from "../../components/filters.tsx";
import { Button, Form, type FormState, Problem } from "../../components/form.tsx";
import { Pages } from "../../components/lists.tsx";
import { pathWith } from "../../page.ts";
import { useView } from "../../view.tsx";
import { Entries } from "./entries.tsx";
import { eventName } from "./entry.tsx";
import { AUDIT, type AuditFilters, PERIODS } from "./filters.ts";

export interface AuditProps {
  readonly filters: AuditFilters;
  readonly listing: Listing<AuditRecord>;
  readonly chart: AuditChart | undefined;
  readonly parties: Parties;
  /** The period of the list, for the export; undefined without an export. */
  readonly exported: { readonly from: string | undefined; readonly to: string | undefined } | undefined;
  readonly state: FormState;
}

export function AuditBody(props: AuditProps) {
  const { t } = useView();
  const { filters, listing, chart, parties, exported, state } = props;
  return (
    <>
      <header class="head">
        <h1>{t.audit.title}</h1>
        <p class="soft num">{t.audit.count(listing.total)}</p>
      </header>
      <Problem state={state} />
      <AuditFiltersForm filters={filters} />
      <PartyFilters filters={filters} parties={parties} />
      {chart && <Chart chart={chart} />}
      {listing.items.length === 0 ? (
        <p class="empty soft">{t.audit.none}</p>
      ) : (
        <Entries records={listing.items} parties={parties} filters={filters} />
      )}
      <Pages {...listing} path={pathWith(AUDIT, { ...filters })} />
      {exported && <Export {...exported} />}
    </>
  );
}

function AuditFiltersForm({ filters }: { readonly filters: AuditFilters }) {
  const { t } = useView();
  const { outcome, period, user_id, organization_id, from, to } = filters;
  const names = {
    day: t.audit.day,
    week: t.audit.week,
    month: t.audit.month,
    all: t.audit.all,
    custom: t.events.custom,
  };
  const isFiltered = [filters.action, outcome, user_id, organization_id, from, to].some((value) => value !== "");
  const selects = [
    {
      name: "outcome",
      label: t.events.result,
      value: outcome,
      options: [
        ["", t.events.anyResult],
        ["success", t.events.succeeded],
        ["failure", t.events.failed],
      ] as const,
    },
    {
      name: "period",
      label: t.events.period,
      value: period,
      options: PERIODS.map((each) => [each, names[each]] as const),
    },
  ];
  return (
    <Filters path={AUDIT} selects={selects} kept={{ user_id, organization_id }} filtered={isFiltered}>
      <EventSelect value={filters.action} />
      <Bound name="from" label={t.audit.from} value={from} />
      <Bound name="to" label={t.audit.to} value={to} />
    </Filters>
  );
}

/** Groups of actions, then the single actions. */
function EventSelect({ value }: { readonly value: string }) {
  const { t } = useView();
  return (
    <select name="action" aria-label={t.audit.action}>
      <option value="">{t.events.anyEvent}</option>
      <optgroup label={t.events.groups}>
        {Object.entries(t.events.groupNames).map(([group, text]) => (
          <option key={group} value={group} selected={group === value}>
            {text}
          </option>
        ))}
      </optgroup>
      <optgroup label={t.events.single}>
        {AUDIT_ACTIONS.map((action) => (
          <option key={action} value={action} selected={action === value}>
            {eventName(t, action)}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

/** A bound of the custom period. */
function Bound({ name, label, value }: { readonly name: string; readonly label: string; readonly value: string }) {
  return (
    <label class="soft">
      {label} <input type="datetime-local" name={name} value={value} />
    </label>
  );
}

/** The actor and the organization of the filter, with the links that remove each. */
function PartyFilters({ filters, parties }: Pick<AuditProps, "filters" | "parties">) {
  const { t } = useView();
  const { user_id: userId, organization_id: organizationId } = filters;
  return (
    <>
      {userId && (
        <p>
          {t.audit.onlyUser(parties.users.get(userId) ?? userId)} ·{" "}
          <a href={pathWith(AUDIT, { ...filters, user_id: undefined })}>{t.audit.anyone}</a>
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

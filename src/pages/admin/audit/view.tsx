import type { Listing } from "../../../database/listing.ts";
import { AUDIT_ACTIONS } from "../../../flows/audit/actions.ts";
import type { AuditChart } from "../../../flows/audit/chart.ts";
import type { Parties } from "../../../flows/audit/name-parties.ts";
import type { AuditRecord } from "../../../models/audit/audit-log.ts";
import { Chart } from "../../components/chart.tsx";
import { Button, Field, Form, type FormState, Problem } from "../../components/form.tsx";
import { Pages } from "../../components/lists.tsx";
import { pathWith } from "../../page.ts";
import { useView } from "../../view.tsx";
import { EntryRow } from "./entry.tsx";
import { AUDIT, type AuditFilters } from "./filters.ts";

export interface AuditProps {
  readonly filters: AuditFilters;
  readonly listing: Listing<AuditRecord>;
  readonly chart: AuditChart | undefined;
  readonly parties: Parties;
  /** The start time of each period, for the segmented control. */
  readonly periods: readonly (readonly [string, string])[];
  readonly exports: boolean;
  readonly state: FormState;
}

export function AuditBody(props: AuditProps) {
  const { t, dates } = useView();
  const { filters, listing, chart, parties, exports, state } = props;
  return (
    <>
      <header class="head">
        <h1>{t.audit.title}</h1>
        <p class="soft num">{t.audit.count(listing.total, dates.number(listing.total))}</p>
      </header>
      <Problem state={state} />
      <Periods {...props} />
      <Filters {...props} />
      {chart && <Chart chart={chart} />}
      {listing.items.length === 0 ? (
        <p class="empty soft">{t.audit.none}</p>
      ) : (
        <ol class="entries">
          {listing.items.map((record) => (
            <EntryRow key={record.id} record={record} parties={parties} filters={filters} />
          ))}
        </ol>
      )}
      <Pages {...listing} path={pathWith(AUDIT, { ...filters })} />
      {exports && <Export filters={filters} />}
    </>
  );
}

function Periods({ filters, periods }: AuditProps) {
  const { t } = useView();
  return (
    <nav class="segments" aria-label={t.audit.periods}>
      {periods.map(([name, from]) => (
        <a
          key={name}
          href={pathWith(AUDIT, { ...filters, from, to: undefined })}
          aria-current={filters.from === from && filters.to === "" ? "true" : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}

function Filters({ filters, parties }: AuditProps) {
  const { t } = useView();
  const { action, user_id: userId, from, to } = filters;
  return (
    <>
      <form class="bar" method="get" action={AUDIT}>
        <div class="field">
          <label for="action">{t.audit.action}</label>
          <select id="action" name="action">
            <option value="">{t.audit.anyAction}</option>
            {AUDIT_ACTIONS.map((each) => (
              <option key={each} selected={each === action}>
                {each}
              </option>
            ))}
          </select>
        </div>
        <Field name="from" type="datetime-local" label={t.audit.from} value={from} optional={true} quiet />
        <Field name="to" type="datetime-local" label={t.audit.to} value={to} optional={true} quiet />
        {userId && <input type="hidden" name="user_id" value={userId} />}
        <Button kind="primary">{t.audit.show}</Button>
      </form>
      {userId && (
        <p>
          {t.audit.onlyUser(parties.users.get(userId) ?? userId)} ·{" "}
          <a href={pathWith(AUDIT, { ...filters, user_id: undefined })}>{t.audit.anyone}</a>
        </p>
      )}
    </>
  );
}

function Export({ filters: { from, to } }: { readonly filters: AuditFilters }) {
  const { t } = useView();
  return (
    <Form action={`${AUDIT}/export`} class="toolbar">
      <p class="soft">{t.audit.exportHint}</p>
      <input type="hidden" name="from" value={from} />
      <input type="hidden" name="to" value={to} />
      <Button>{t.audit.export}</Button>
    </Form>
  );
}

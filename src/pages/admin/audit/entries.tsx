import type { Parties } from "../../../flows/audit/name-parties.ts";
import type { AuditRecord } from "../../../models/audit/audit-log.ts";
import { Table } from "../../components/table.tsx";
import { useView } from "../../view.tsx";
import type { AuditFilters, AuditPath } from "./audit-filters.ts";
import { EntryRow } from "./entry.tsx";

interface EntriesProps {
  readonly records: readonly AuditRecord[];
  readonly parties: Parties;
  readonly filters?: AuditFilters;
  readonly trail?: AuditPath;
}

/** The zone of the times: of the account, else of the browser with scripts (islands/local-times.ts), else UTC. */
function ZoneOfTimes() {
  const { t, dates, profile } = useView();
  return profile?.timeZone ? (
    <span>{t.events.zone({ zone: dates.timeZone })}</span>
  ) : (
    <span data-zone={t.events.zone({ zone: "%" })}>{t.events.utc}</span>
  );
}

/** The table of audit events: of the trail, of an organization or of a user. */
export function Entries({ records, parties, filters, trail }: EntriesProps) {
  const { t } = useView();
  const { time, eventHead, actor, target, result } = t.events;
  return (
    <>
      <p class="soft">
        <ZoneOfTimes />
      </p>
      <Table label={t.audit.title} columns={[time, eventHead, actor, target, result]}>
        {records.map((record) => (
          <EntryRow key={record.id} record={record} parties={parties} filters={filters} {...(trail && { trail })} />
        ))}
      </Table>
    </>
  );
}

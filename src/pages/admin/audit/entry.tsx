import type { ComponentChildren } from "preact";
import { NIL_UUID } from "../../../base/random.ts";
import type { Parties } from "../../../flows/audit/name-parties.ts";
import type { AuditRecord } from "../../../models/audit/audit-log.ts";
import { useDevice } from "../../components/device.ts";
import { Tag } from "../../components/lists.tsx";
import { Details } from "../../components/table.tsx";
import { pathWith } from "../../page.ts";
import type { Texts } from "../../texts/catalogue.ts";
import { useView } from "../../view.tsx";
import { requestPath } from "../requests.tsx";
import { AUDIT, type AuditFilters } from "./filters.ts";

interface EntryProps {
  readonly record: AuditRecord;
  readonly parties: Parties;
  readonly filters: AuditFilters;
}

/** One line; the opened entry lists all fields, also without scripts. */
export function EntryRow(props: EntryProps) {
  const { t, dates } = useView();
  const { record, parties } = props;
  const { timestamp, action, actorId, actorType, ipAddress, outcome, metadata } = record;
  const note = metadata.reason ?? metadata.method;
  return (
    <li>
      <details>
        <summary>
          <time class="num" dateTime={timestamp.toISOString()} title={dates.relative(timestamp)}>
            {dates.second(timestamp)}
          </time>
          <span class="action">
            {/* Long names break after a dot. */}
            <span class="mono">{action.split(/(?<=\.)/).flatMap((part) => [part, <wbr key={part} />])}</span>
            {typeof note === "string" && <small>{note}</small>}
          </span>
          <span class="who">{actorName(t, actorType, actorId, parties)}</span>
          <span class="mono soft">{ipAddress}</span>
          <Tag kind={outcome === "success" ? "good" : "bad"}>{outcomeName(t, outcome)}</Tag>
        </summary>
        <Entry {...props} />
      </details>
    </li>
  );
}

function actorName(t: Texts, type: string, id: string | null, { users }: Parties): string {
  if (id !== null) return users.get(id) ?? id;
  return type === "system" ? t.audit.system : t.audit.nobody;
}

function outcomeName(t: Texts, outcome: string): string {
  if (outcome === "success") return t.audit.success;
  return outcome === "failure" ? t.audit.failure : outcome;
}

function Entry({ record, parties, filters }: EntryProps) {
  const { t, dates } = useView();
  const device = useDevice();
  const { actorId, action, organizationId, resourceType, resourceId, userAgent, requestId, eventId, timestamp } =
    record;
  const organization = parties.organizations.get(organizationId) ?? organizationId;
  const resource = resourceType === "user" ? (parties.users.get(resourceId) ?? resourceId) : resourceId;
  const details: (readonly [string, ComponentChildren])[] = [
    [t.audit.when, dates.exact(timestamp)],
    [t.audit.organization, organizationId === NIL_UUID ? t.audit.noOrganization : organization],
    [t.audit.resource, `${resourceType} ${resource}`],
    [t.audit.browser, <span title={userAgent ?? undefined}>{userAgent === null ? "–" : device(userAgent)}</span>],
    [t.audit.request, <span class="mono">{requestId ?? "–"}</span>],
    [t.audit.event, <span class="mono">{eventId}</span>],
    ...Object.entries(record.metadata).map(
      ([name, value]) => [name, <span class="mono">{plain(value)}</span>] as const,
    ),
  ];
  return (
    <div class="entry">
      <Details details={details} />
      <p class="links">
        <a href={pathWith(AUDIT, { ...filters, action })}>{t.audit.sameAction}</a>
        {actorId && <a href={pathWith(AUDIT, { ...filters, user_id: actorId })}>{t.audit.sameUser}</a>}
        {actorId && parties.users.has(actorId) && <a href={`/admin/users/${actorId}`}>{t.audit.openUser}</a>}
        {requestId && <a href={requestPath(requestId)}>{t.requests.explain}</a>}
      </p>
    </div>
  );
}

/** Metadata is JSON of any shape. */
function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

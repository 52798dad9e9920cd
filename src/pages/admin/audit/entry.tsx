import type { ComponentChildren } from "preact";
import { NIL_UUID } from "../../../base/random.ts";
import type { Parties } from "../../../flows/audit/name-parties.ts";
import type { AuditRecord } from "../../../models/audit/audit-log.ts";
import type { AuditResourceType } from "../../../models/audit/resource-type.ts";
import type { AuditAction } from "../../../vocabulary/audit-action.ts";
import { AUDIT } from "../../addresses.ts";
import { useDevice } from "../../components/device.ts";
import { Tag } from "../../components/lists.tsx";
import { Cell, Details } from "../../components/table.tsx";
import { pathWith, textAt } from "../../page.ts";
import type { Texts } from "../../texts/catalogue.ts";
import { useView } from "../../view.tsx";
import { requestPath } from "../requests.tsx";
import type { AuditFilters, AuditPath } from "./audit-filters.ts";

/** Characters of an id in a list: the opened event has the whole id. */
const ID_END = 6;

interface EntryProps {
  readonly record: AuditRecord;
  readonly parties: Parties;
  /** Undefined outside of the page of the audit trail: without links to further filters. */
  readonly filters?: AuditFilters | undefined;
  /** The page of the trail. The page of an organization has no links to the console. */
  readonly trail?: AuditPath;
}

/** A row; the opened event lists all fields, also without scripts. */
export function EntryRow(props: EntryProps) {
  const { t, dates, profile } = useView();
  const { record, parties } = props;
  const { timestamp, action, actorId, actorType, ipAddress, outcome, metadata } = record;
  const note = metadata.reason ?? metadata.method;
  const noteText = typeof note === "string" ? (textAt(t.events.reasons, note) ?? note) : undefined;
  return (
    <tr>
      <Cell label={t.events.time}>
        <time
          class="num"
          dateTime={timestamp.toISOString()}
          title={dates.exact(timestamp)}
          data-local={profile?.timeZone ? undefined : dates.locale}
        >
          {dates.second(timestamp)}
        </time>
      </Cell>
      <Cell>
        <details>
          <summary>
            <strong>{eventName(t, action)}</strong> <small class="mono">{action}</small>
            {noteText !== undefined && <small> {noteText}</small>}
          </summary>
          <Entry {...props} />
        </details>
      </Cell>
      <Cell label={t.events.actor}>
        <Cut text={actorName(t, actorType, actorId, parties)} />
        {ipAddress && <small class="mono">{ipAddress}</small>}
      </Cell>
      <Cell label={t.events.target}>
        <Cut text={targetName(t, record, parties)} />
      </Cell>
      <Cell label={t.events.result}>
        <Tag kind={outcome === "success" ? "good" : "bad"}>{outcomeName(t, outcome)}</Tag>
      </Cell>
    </tr>
  );
}

/** A text on one line, with the whole text on hover: an address must not break. */
function Cut({ text }: { readonly text: string }) {
  return (
    <span class="cut" title={text}>
      {text}
    </span>
  );
}

/** The words of an action; an action of a newer release has its name alone. Known actions have texts. */
export function eventName(t: Texts, action: string): string {
  const names: Readonly<Record<AuditAction, string>> = t.events.names;
  return textAt(names, action) ?? action;
}

/** The words of a kind of subject or actor. A kind of subject without a text does not compile. */
function kindName(t: Texts, type: string): string {
  const names: Readonly<Record<AuditResourceType, string>> = t.events.targetNames;
  return textAt(names, type) ?? type;
}

function actorName(t: Texts, type: string, id: string | null, { users }: Parties): string {
  if (id !== null) return users.get(id) ?? (type === "user" ? id : machineName(t, type, id));
  return type === "system" ? t.audit.system : t.audit.unknownActor;
}

/** The kind of an actor without a user, such as a set-up link, with the random end of the id. */
function machineName(t: Texts, type: string, id: string): string {
  return `${kindName(t, type)} ${id.slice(-ID_END)}`;
}

/** The name of the subject, or the kind of a subject without a name. */
function targetName(t: Texts, { resourceType, resourceId }: AuditRecord, { users, organizations }: Parties): string {
  return users.get(resourceId) ?? organizations.get(resourceId) ?? kindName(t, resourceType);
}

function outcomeName(t: Texts, outcome: string): string {
  if (outcome === "success") return t.audit.success;
  return outcome === "failure" ? t.audit.failure : outcome;
}

function Entry({ record, parties, filters, trail = AUDIT }: EntryProps) {
  const { t, dates } = useView();
  const device = useDevice();
  const { organizationId, actorId, actorType, resourceType, resourceId, userAgent, requestId, eventId, timestamp } =
    record;
  const organization = parties.organizations.get(organizationId) ?? organizationId;
  const resource = resourceType === "user" ? (parties.users.get(resourceId) ?? resourceId) : resourceId;
  const details: (readonly [string, ComponentChildren])[] = [
    [t.audit.when, dates.exact(timestamp)],
    ...(trail === AUDIT
      ? [[t.audit.organization, organizationId === NIL_UUID ? t.audit.noOrganization : organization] as const]
      : []),
    ...(actorId && !parties.users.has(actorId)
      ? [[t.events.actor, <span class="mono">{`${actorType} ${actorId}`}</span>] as const]
      : []),
    [t.audit.resource, `${resourceType} ${resource}`],
    [t.audit.browser, <span title={userAgent ?? undefined}>{userAgent === null ? "–" : device(userAgent)}</span>],
    [t.audit.request, <span class="mono">{requestId ?? "–"}</span>],
    [t.audit.event, <span class="mono">{eventId}</span>],
    ...Object.entries(record.metadata).map(
      ([name, value]) => [name, <MetadataValue name={name} value={value} />] as const,
    ),
  ];
  return (
    <div class="entry">
      <Details details={details} />
      <EntryLinks record={record} parties={parties} filters={filters} trail={trail} />
    </div>
  );
}

function EntryLinks({ record, parties, filters, trail = AUDIT }: EntryProps) {
  const { t } = useView();
  const { actorId, action, organizationId, requestId } = record;
  const isConsole = trail === AUDIT;
  return (
    <p class="links">
      {filters && <a href={pathWith(trail, { ...filters, action })}>{t.audit.sameAction}</a>}
      {filters && actorId && <a href={pathWith(trail, { ...filters, user_id: actorId })}>{t.audit.sameUser}</a>}
      {isConsole && filters && organizationId !== NIL_UUID && (
        <a href={pathWith(AUDIT, { ...filters, organization_id: organizationId })}>{t.events.sameOrganization}</a>
      )}
      {isConsole && actorId && parties.users.has(actorId) && <a href={`/admin/users/${actorId}`}>{t.audit.openUser}</a>}
      {isConsole && requestId && <a href={requestPath(requestId)}>{t.requests.explain}</a>}
    </p>
  );
}

/** A reason is in words, beside its code. */
function MetadataValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  const { t } = useView();
  const words = name === "reason" ? textAt(t.events.reasons, plain(value)) : undefined;
  return (
    <>
      {words !== undefined && `${words} · `}
      <span class="mono">{plain(value)}</span>
    </>
  );
}

/** Metadata is JSON of any shape. */
function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

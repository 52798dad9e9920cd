/** What a person created in an organization: listed to those who stay, and ended by one request. */
import { inertName } from "../../../base/display-name.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import type { Fragment, Sql } from "../../../database/database.ts";
import type { SessionDeps } from "../../../deps.ts";
import { CREATIONS_LISTED_MAX, CREATORS_NAMED_MAX } from "../../../limits/review-limits.ts";
import type { AuditEntry } from "../../../models/audit/audit.ts";
import {
  CREATION_KINDS,
  type CreationKind,
  type CreationScope,
  endOfKind,
  listCreations,
  listCreators,
} from "../../../models/creation/creation.ts";
import { noticeTime } from "../../../models/email/email.ts";
import { findOrganization } from "../../../models/organization/organization.ts";
import type { SessionEvent } from "../../../models/session/revocation.ts";
import { findRecipient } from "../../../models/user/user.ts";
import { type Actor, userAuditEvent } from "../audit/audit-event.ts";
import { recordEach } from "../audit/record-ended-credentials.ts";
import { type ComposeDeps, noticeItems } from "../email/compose-email.ts";
import { mailOwners } from "../email/mail-owners.ts";
import { type EndOfCreator, endCreatedBy } from "../sessions/end-created-keys.ts";
import { readEndedKeys, readEndedRows } from "../sessions/read-ended.ts";

/** The audit record of each ended item. */
const RECORDS: Partial<Record<CreationKind, Pick<AuditEntry, "action" | "resourceType">>> = {
  api_keys: { action: "api_key.revoked", resourceType: "api_key" },
  trusts: { action: "service_account.trust_deleted", resourceType: "service_account" },
  webhooks: { action: "webhook.disabled", resourceType: "webhook" },
  event_streams: { action: "signal_stream.disabled", resourceType: "signal_stream" },
  invitations: { action: "invitation.revoked", resourceType: "invitation" },
  setup_links: { action: "sso.setup_link.revoked", resourceType: "setup_link" },
};

/**
 * Ends every item of the person that ends by a request, with an audit record for each. Returns the events to announce
 * after the commit.
 */
export async function endCreations(
  deps: SessionDeps,
  sql: Sql,
  scope: CreationScope,
  { actor, client }: { readonly actor: Actor; readonly client: RequestContext },
): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  for (const kind of CREATION_KINDS) {
    const end = endOfKind(sql, kind, scope);
    const record = RECORDS[kind];
    if (!end || !record) continue;
    const { items, revoked } = await endItems(deps, sql, kind, end, { actor, client, at: scope.at });
    const metadata = { reason: "creator_reviewed" };
    const entry = userAuditEvent(deps, actor, client, { action: record.action, at: scope.at, metadata });
    await recordEach(deps, sql, { ...entry, resourceType: record.resourceType }, items);
    events.push(...revoked);
  }
  return events;
}

async function endItems(deps: SessionDeps, sql: Sql, kind: CreationKind, end: Fragment, by: EndOfCreator) {
  if (kind !== "api_keys" && kind !== "trusts") {
    return { items: await readEndedRows(sql, end), revoked: [] };
  }
  const { items, events } = await readEndedKeys(deps, sql, end, by.at);
  const ids = items.map(({ id }) => id);
  const created = await endCreatedBy(deps, sql, ids, by);
  return { items, revoked: [...events, ...created.events] };
}

/**
 * Inside the transaction that lowers the power of members: emails the owners what the members created and is still
 * valid, by one email for the change: about a single member with the items, else with the names of the members.
 * Without an item there is no email.
 */
export async function mailCreationsOfMembers(
  deps: ComposeDeps,
  sql: Sql,
  userIds: readonly string[],
  { organizationId, client, at }: Omit<CreationScope, "userId"> & { readonly client: RequestContext },
): Promise<void> {
  if (userIds.length === 0) return;
  const creators = await listCreators(sql, userIds, { organizationId, at }, CREATORS_NAMED_MAX + 1);
  const [only] = creators;
  if (!only) return;
  if (creators.length === 1) return await mailCreations(deps, sql, { organizationId, userId: only.userId, client, at });
  const organization = await findOrganization(sql, organizationId);
  if (!organization) return;
  const names = creators.slice(0, CREATORS_NAMED_MAX).map(({ name }) => inertName(name));
  const values = {
    organization_name: inertName(organization.name),
    people: [...names, ...(creators.length > CREATORS_NAMED_MAX ? ["…"] : [])].join(", "),
    time: noticeTime(at),
    link: `${deps.config.urls.publicBaseUrl}/team`,
  };
  await mailOwners(deps, sql, organizationId, { kind: "members_creations", values }, { client, at, subject: userIds });
}

/**
 * In each transaction of a change of several transactions: the members of `before` and `userIds` with something to
 * list, at most as many as one email tells apart. The last transaction emails the owners once, by
 * `mailCreationsOfMembers`.
 */
export async function addCreators(
  sql: Sql,
  before: readonly string[],
  userIds: readonly string[],
  of: Omit<CreationScope, "userId">,
): Promise<readonly string[]> {
  const max = CREATORS_NAMED_MAX + 1;
  if (before.length >= max || userIds.length === 0) return before;
  const found = await listCreators(sql, userIds, of, max);
  return [...new Set([...before, ...found.map(({ userId }) => userId)])].slice(0, max);
}

/** After a change of several transactions that stopped before the email: emails the owners. */
export async function mailStoppedChange(
  deps: ComposeDeps & Pick<SessionDeps, "clock" | "database">,
  creatorIds: readonly string[],
  { organizationId, client }: { readonly organizationId: string; readonly client: RequestContext },
): Promise<void> {
  if (creatorIds.length === 0) return;
  const at = new Date(deps.clock.now());
  await deps.database.transaction("creation.mail", (sql) =>
    mailCreationsOfMembers(deps, sql, creatorIds, { organizationId, client, at }),
  );
}

/**
 * Inside the transaction that ends or lowers a membership: emails the owners what the person created and is still
 * valid. The keys of a removed administrator would otherwise go on unnoticed.
 */
export async function mailCreations(
  deps: ComposeDeps,
  sql: Sql,
  { organizationId, userId, client, at }: CreationScope & { readonly client: RequestContext },
): Promise<void> {
  const items = await listCreations(sql, { organizationId, userId, at }, CREATIONS_LISTED_MAX);
  if (items.length === 0) return;
  const [person, organization] = [await findRecipient(sql, userId), await findOrganization(sql, organizationId)];
  if (!person || !organization) return;
  const values = {
    organization_name: inertName(organization.name),
    address: person.email,
    time: noticeTime(at),
    link: `${deps.config.urls.publicBaseUrl}/team/members/${userId}/creations`,
    ...noticeItems(items),
  };
  await mailOwners(deps, sql, organizationId, { kind: "member_creations", values }, { client, at, subject: [userId] });
}

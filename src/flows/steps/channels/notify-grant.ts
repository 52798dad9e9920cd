/** The notices about grants through channels: to the owners, and to the member whose power grows. */
import { inertName } from "../../../base/display-name.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import { CHANNELS_NAMED_MAX } from "../../../limits/role-limits.ts";
import type { AuditEntry } from "../../../models/audit/audit.ts";
import { insertEmail, noticeTime } from "../../../models/email/email.ts";
import { findOrganizationNames } from "../../../models/organization/organization.ts";
import { findRecipient } from "../../../models/user/user.ts";
import { type ComposeDeps, composeEmail } from "../email/compose-email.ts";
import { mailOwners } from "../email/mail-owners.ts";
import { namedChannels } from "./authorize-grant.ts";
import { type ChannelHolder, findAccountHolders } from "./channels.ts";

interface Cause {
  readonly organizationId: string;
  readonly client: RequestContext;
  readonly at: Date;
}

/** Tells the owners which channels a member has accepted, if any. */
export async function notifyConfirmation(
  deps: ComposeDeps,
  sql: Sql,
  { organizationId, channels, client, at }: Cause & { readonly channels: readonly ChannelHolder[] },
): Promise<void> {
  if (channels.length === 0) return;
  const link = `${deps.config.urls.publicBaseUrl}/team`;
  const values = { ...(await valuesOf(sql, organizationId, channels, at)), link };
  await mailOwners(deps, sql, organizationId, { kind: "channels_accepted", values }, { client, at });
}

/** Tells a member with more power who else reaches the account, if anybody does. */
export async function notifyPromotion(
  deps: ComposeDeps,
  sql: Sql,
  { organizationId, userId, client, at }: Cause & { readonly userId: string },
): Promise<void> {
  const holders = await findAccountHolders(sql, { organizationId, userIds: [userId], at });
  const to = holders.length === 0 ? undefined : await findRecipient(sql, userId);
  if (!to) return;
  const link = `${deps.config.urls.publicBaseUrl}/account/security`;
  const values = { ...(await valuesOf(sql, organizationId, holders, at)), link };
  const mail = { kind: "account_channels", values } as const;
  await insertEmail(sql, composeEmail(deps, { to, mail, tenants: { organizationId }, client, at }));
}

async function valuesOf(sql: Sql, organizationId: string, channels: readonly ChannelHolder[], at: Date) {
  const names = await findOrganizationNames(sql, [organizationId]);
  return {
    organization_name: inertName(names.get(organizationId) ?? ""),
    channels: describeChannels(channels),
    time: noticeTime(at),
  };
}

/** The names of channels with their people, at most `CHANNELS_NAMED_MAX`. */
function describeChannels(channels: readonly ChannelHolder[]): string {
  const named = namedChannels(channels);
  const texts = named
    .slice(0, CHANNELS_NAMED_MAX)
    .map(({ name, person }) => (person ? `${inertName(name)} (${inertName(person.name)})` : inertName(name)));
  return [...texts, ...(named.length > CHANNELS_NAMED_MAX ? ["…"] : [])].join(", ");
}

/** The accepted channels, for the audit record of the grant. */
export function channelMetadata(channels: readonly ChannelHolder[]): AuditEntry["metadata"] {
  if (channels.length === 0) return {};
  const named = namedChannels(channels).slice(0, CHANNELS_NAMED_MAX);
  return { accepted_channels: named.map(({ kind, id }) => `${kind}:${id}`).join(" ") };
}

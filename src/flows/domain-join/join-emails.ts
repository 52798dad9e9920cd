/** Emails about requests to join an organization by a verified domain (docs/contract.md, section 34.3). */
import { inertName } from "../../base/display-name.ts";
import type { RequestContext } from "../../base/request-context.ts";
import type { Sql } from "../../database/database.ts";
import { JOIN_REQUEST_LIFETIME_MS } from "../../limits/domain-join-limits.ts";
import { insertEmail } from "../../models/email/email.ts";
import { findOrganizationNames } from "../../models/organization/organization.ts";
import { findRecipient } from "../../models/user/user.ts";
import { type ComposeDeps, composeEmail } from "../steps/email/compose-email.ts";
import { mailOwners } from "../steps/email/mail-owners.ts";

const REQUEST_DAYS = JOIN_REQUEST_LIFETIME_MS / 86_400_000;

interface Cause {
  readonly organizationId: string;
  readonly client: RequestContext;
  readonly at: Date;
}

/** Queues the notice of a new request to the owners. `address`: in a domain of the organization. */
export async function mailJoinRequest(
  deps: ComposeDeps,
  sql: Sql,
  { organizationId, client, at, name, address }: Cause & { readonly name: string; readonly address: string },
): Promise<void> {
  const link = `${deps.config.urls.publicBaseUrl}/team`;
  const values = { organization_name: inertName(name), address: inertName(address), days: REQUEST_DAYS, link };
  await mailOwners(deps, sql, organizationId, { kind: "join_requested", values }, { client, at });
}

/** Queues the notice of a decision to the user who asked. */
export async function mailJoinDecision(
  deps: ComposeDeps,
  sql: Sql,
  kind: "join_approved" | "join_denied",
  { organizationId, client, at, userId }: Cause & { readonly userId: string },
): Promise<void> {
  const to = await findRecipient(sql, userId);
  if (!to) return;
  const name = (await findOrganizationNames(sql, [organizationId])).get(organizationId) ?? "";
  const link = `${deps.config.urls.publicBaseUrl}/account`;
  const mail = { kind, values: { organization_name: inertName(name), days: REQUEST_DAYS, link } } as const;
  await insertEmail(sql, composeEmail(deps, { to, mail, tenants: { organizationId }, client, at }));
}

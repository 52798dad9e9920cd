import { emailName } from "../../../base/display-name.ts";
import { invalidInput } from "../../../base/invalid-input.ts";
import { makeOpaqueToken } from "../../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { HOUR_MS } from "../../../base/time-units.ts";
import { lockName } from "../../../database/statement.ts";
import type { EmailDeps } from "../../../deps.ts";
import { SETUP_LINK_HOURS_DEFAULT, SETUP_LINK_HOURS_MAX, SETUP_LINKS_MAX } from "../../../limits/setup-link-limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { insertEmail, type SealedEmail } from "../../../models/email/email.ts";
import { findOrganization } from "../../../models/organization/organization.ts";
import { countLiveSetupLinks, insertSetupLink, type NewSetupLink } from "../../../models/setup-link/setup-link.ts";
import { malformedEmail, normalizeEmail } from "../../../models/user/email-address.ts";
import { findRecipient, findRecipientByEmail } from "../../../models/user/user.ts";
import { holds } from "../../../vocabulary/member-power.ts";
import { SETUP_INTENTS, type SetupIntent } from "../../../vocabulary/setup-intent.ts";
import { countInvitation, TOO_MANY_EMAILS } from "../../invitations/allowance.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import {
  lacksPermission,
  type ResponsibleCaller,
  SETUP_PERMISSIONS,
} from "../../steps/authorization/authorize-member.ts";
import { isEntitledTo } from "../../steps/authorization/entitlement.ts";
import { lockCredential, programCredentialId } from "../../steps/credentials/lock-credential.ts";
import { composeEmail } from "../../steps/email/compose-email.ts";
import { inviterName } from "../../steps/email/invitation-email.ts";

export interface CreateSetupLinkInput {
  /** A member with `sso.manage` and a step-up, or a platform administrator with a step-up. */
  readonly caller: ResponsibleCaller;
  readonly intents: readonly SetupIntent[];
  /** The recipient of the link; undefined: the link is not mailed. */
  readonly email: string | undefined;
  readonly expiresInHours: number | undefined;
  readonly client: RequestContext;
}

export interface CreatedSetupLink {
  readonly id: string;
  /** Only in this response; the table stores a hash of the token. */
  readonly url: string;
  readonly expiresAt: Date;
}

type CreateProblem = Refusal<
  "authentication_required" | "conflict" | "forbidden" | "invalid_input" | "payment_required" | "rate_limited"
>;

const TOO_MANY = refusal("conflict", `The organization has ${SETUP_LINKS_MAX} live set-up links already.`);
const NOT_ENTITLED = refusal("payment_required", "Directories are not part of this organization's tier.");
const BAD_HOURS = invalidInput("expires_in_hours", "too_large", `1 to ${SETUP_LINK_HOURS_MAX}`);
const NO_INTENT = invalidInput("intents", "too_short", "at least one task");

/**
 * POST /v1/orgs/:org_id/sso/setup-links (docs/contract.md, section 29.50). A creator gives no permission that the
 * creator lacks.
 */
export async function createSetupLink(
  deps: EmailDeps,
  input: CreateSetupLinkInput,
): Promise<Result<CreatedSetupLink, CreateProblem>> {
  const { caller, client } = input;
  const intents = SETUP_INTENTS.filter((intent) => input.intents.includes(intent));
  if (intents.length === 0) return err(NO_INTENT);
  const hours = input.expiresInHours ?? SETUP_LINK_HOURS_DEFAULT;
  if (!Number.isInteger(hours) || hours < 1 || hours > SETUP_LINK_HOURS_MAX) return err(BAD_HOURS);
  const missing = intents.map((intent) => SETUP_PERMISSIONS[intent]).find((permission) => !holds(caller, permission));
  if (missing) return err(lacksPermission(missing));
  const { organizationId } = caller;
  if (intents.includes("directory") && !(await isEntitledTo(deps, "scim", organizationId))) return err(NOT_ENTITLED);
  const email = input.email === undefined ? null : normalizeEmail(input.email);
  if (email === undefined) return err(malformedEmail("email", input.email ?? ""));
  const counted =
    email === null
      ? ok(undefined)
      : await countInvitation(deps, caller, { email, delivery: "mail", network: client.network });
  if (!counted.ok) return counted;
  const createdAt = new Date(deps.clock.now());
  const expiresAt = new Date(createdAt.getTime() + hours * HOUR_MS);
  const link: NewSetupLink = {
    id: deps.random.uuid(),
    organizationId,
    intents,
    token: makeOpaqueToken(deps.random),
    email,
    createdBy: caller.responsibleId,
    createdByCredential: programCredentialId(caller.credential),
    byPlatform: caller.platformRole !== undefined,
    createdAt,
    expiresAt,
  };
  const mail = email === null ? undefined : await composeSetupLink(deps, link, email, client);
  const written = await persistLink(deps, input, link, mail);
  if (!written.ok) return written;
  if (mail) deps.outbox.wake();
  return ok({ id: link.id, url: setupLinkUrl(deps, link.token), expiresAt });
}

/** The address that begins a link. */
export function setupLinkUrl({ config }: Pick<EmailDeps, "config">, token: string): string {
  return `${config.urls.publicBaseUrl}/setup?token=${token}`;
}

/** In the language of a registered recipient, else of the creator. */
async function composeSetupLink(
  deps: EmailDeps,
  link: NewSetupLink,
  email: string,
  client: RequestContext,
): Promise<SealedEmail> {
  const [organization, sender, known] = await Promise.all([
    deps.database.run("organization.find", (sql) => findOrganization(sql, link.organizationId)),
    deps.database.run("user.find_recipient", (sql) => findRecipient(sql, link.createdBy)),
    deps.database.run("user.find_recipient_by_email", (sql) => findRecipientByEmail(sql, email)),
  ]);
  const locale = sender?.locale ?? null;
  const to = known ?? { email, isMailboxOwner: false, displayName: null, locale, timeZone: null };
  const slug = organization?.slug ?? "";
  const values = {
    link: setupLinkUrl(deps, link.token),
    organization_name: emailName(organization?.name ?? "") ?? slug,
    inviter_name: (sender && inviterName(sender)) ?? slug,
    hours: Math.round((link.expiresAt.getTime() - link.createdAt.getTime()) / HOUR_MS),
  };
  const { organizationId, createdAt: at } = link;
  return composeEmail(deps, { to, mail: { kind: "sso_setup_link", values }, tenants: { organizationId }, client, at });
}

async function persistLink(
  deps: EmailDeps,
  { caller, client }: CreateSetupLinkInput,
  link: NewSetupLink,
  mail: SealedEmail | undefined,
): Promise<Result<void, Refusal<"authentication_required" | "conflict" | "rate_limited">>> {
  const { id, organizationId, createdAt: at } = link;
  const resource = { type: "setup_link", id } as const;
  const metadata = { intents: link.intents.join(" "), mailed: mail !== undefined };
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "sso.setup_link.created",
    at,
    resource,
    metadata,
  });
  return await deps.database.transaction("setup_link.create", async (sql) => {
    const locked = await lockCredential(sql, caller.credential, at);
    if (!locked.ok) return locked;
    await lockName(sql, `set-up links of ${organizationId}`);
    if ((await countLiveSetupLinks(sql, organizationId, at)) >= SETUP_LINKS_MAX) return err(TOO_MANY);
    if (mail) {
      const queued = await sql`${insertEmail(sql, mail)} returning id`;
      if (queued.length === 0) return err(TOO_MANY_EMAILS);
    }
    await sql`with created as (${insertSetupLink(sql, link)}) ${insertAudit(sql, entry, sql`from created`)}`;
    return ok(undefined);
  });
}

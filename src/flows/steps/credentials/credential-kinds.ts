/**
 * The single list of credentials that authenticate a request of a user or create further credentials. A first
 * controlling proof ends every kind (docs/contract.md, section 5.3). `test/conventions/credentials.test.ts` compares
 * the list with the tables, the kinds of tokens and the tests.
 */

import type { Fragment, Sql } from "../../../database/database.ts";
import type { SessionDeps } from "../../../deps.ts";
import { PROOF_DELIVERIES_ENDED_MAX } from "../../../limits/control-limits.ts";
import { configuredProviderName } from "../../../models/conditions/configured-provider-name.ts";
import { deleteEmailCode } from "../../../models/email-code/email-code.ts";
import { unlinkIdentities } from "../../../models/identity/identity.ts";
import { revokeInvitationsOf } from "../../../models/invitation/invitation.ts";
import { deleteAllMailedTokens } from "../../../models/mailed-token/mailed-token.ts";
import { deleteGrantsOfUser } from "../../../models/oauth-grant/oauth-grant.ts";
import { deleteRequestsOfUser } from "../../../models/oauth-request/oauth-request.ts";
import { deletePasskeys, deleteRegistrations } from "../../../models/passkey/passkey.ts";
import { providerName } from "../../../models/provider-config/provider.ts";
import { deleteEndedRecoveryCodes } from "../../../models/recovery-code/recovery-code.ts";
import { lockLiveSessions, lockUnboundSessions, type SessionEvent } from "../../../models/session/revocation.ts";
import { endSetupLinksOf } from "../../../models/setup-link/setup-link.ts";
import { deleteSignUpsOf } from "../../../models/sign-up/sign-up.ts";
import { disableStreamsOf } from "../../../models/signal-stream/stream.ts";
import { unlinkOwnLinks } from "../../../models/sso-identity/identity-list.ts";
import { removeTotpFactor } from "../../../models/totp/totp.ts";
import { endTrustedBrowsers } from "../../../models/trusted-browser/trusted-browser.ts";
import { removePassword } from "../../../models/user/control.ts";
import { renewCredentialsEpoch } from "../../../models/user/user.ts";
import { voidChangesFrom } from "../../../models/user-email/email-change.ts";
import { deleteEmailsOfPeriod } from "../../../models/user-email/user-email.ts";
import { endDeliveriesOf } from "../../../models/webhook/delivery.ts";
import { disableWebhooksOf } from "../../../models/webhook/webhook.ts";
import type { EndedItem } from "../audit/record-ended-credentials.ts";
import { withdrawRolesOfUser } from "../roles/withdraw-unfounded-roles.ts";
import { endKeysOfSetupLink } from "../sessions/end-keys-of-setup-link.ts";
import { endSessionsIn, tokensLiveSince } from "../sessions/end-sessions.ts";
import { endApiKeysOf, endApplicationTokensOf } from "../sessions/end-user-access.ts";
import type { EndedAccess } from "../sessions/read-ended.ts";
import type { CredentialKind, Removal } from "./credential-kind.ts";
import { TRUSTS } from "./trusts-kind.ts";

/**
 * The kinds are in the order of removal. Credentials that create other credentials end first: a concurrent creation
 * either ends too or has been committed. Webhooks end before records of the proof are written.
 */
export const CREDENTIAL_KINDS = {
  api_keys: {
    tables: ["api_keys"],
    tokens: [],
    record: { action: "api_key.revoked", resourceType: "api_key" },
    summary: "nonzero",
    isNoticed: true,
    servesOrganization: true,
    afterReset: "listed",
    remove: (deps, sql, { userId, organizationId, reason, period, client, at }) => {
      const actor = { userId, organizationId };
      return endApiKeysOf(deps, sql, { userId, at, reason, actor, client }, { managedOnly: false, period });
    },
  },
  trusts: TRUSTS,
  webhooks: {
    tables: ["webhooks", "webhook_deliveries"],
    tokens: [],
    record: { action: "webhook.disabled", resourceType: "webhook" },
    summary: "nonzero",
    isNoticed: true,
    servesOrganization: true,
    afterReset: "listed",
    remove: (_, sql, { userId, period, at }) => endedRows(sql, disableWebhooksOf(sql, userId, at, period)),
  },
  event_streams: {
    tables: ["webhooks", "webhook_deliveries"],
    tokens: [],
    record: { action: "signal_stream.disabled", resourceType: "signal_stream" },
    summary: "nonzero",
    isNoticed: true,
    servesOrganization: true,
    afterReset: "listed",
    async remove(_, sql, { userId, period, at }) {
      const ended = await endedRows(sql, disableStreamsOf(sql, userId, at, period));
      await endDeliveriesOf(sql, userId, at, PROOF_DELIVERIES_ENDED_MAX);
      return ended;
    },
  },
  sessions: {
    tables: ["sessions"],
    tokens: ["access", "refresh"],
    isNoticed: false,
    afterReset: "ended",
    remove: endSessionsOf,
  },
  oauth_grants: {
    tables: ["oauth_grants", "oauth_codes", "oauth_token_families"],
    tokens: ["oauth_access", "id"],
    record: { action: "oauth.grant.revoked", resourceType: "oauth_grant" },
    summary: "nonzero",
    isNoticed: true,
    afterReset: "listed",
    async remove(_, sql, { userId, reason, period, at }) {
      const { events } = await endApplicationTokensOf(sql, { userId, at, reason });
      return { ...(await endedRows(sql, deleteGrantsOfUser(sql, userId, period))), events };
    },
  },
  oauth_requests: {
    tables: ["oauth_requests"],
    tokens: [],
    isNoticed: false,
    afterReset: "ended",
    remove: (_, sql, { userId }) => endedSilently(deleteRequestsOfUser(sql, userId)),
  },
  trusted_browsers: {
    tables: ["trusted_browsers"],
    tokens: [],
    record: { action: "auth.trusted_browser.revoked", resourceType: "trusted_browser" },
    isNoticed: true,
    afterReset: "ended",
    remove: (_, sql, { userId, organizationId, at }) =>
      endedRows(sql, endTrustedBrowsers(sql, userId, at), sql`id, ${organizationId}::uuid as organization_id, name`),
  },
  passkeys: {
    tables: ["passkeys", "passkey_challenges"],
    tokens: [],
    record: { action: "auth.passkey.deleted", resourceType: "passkey" },
    summary: "count",
    isNoticed: true,
    afterReset: "held",
    async remove(_, sql, { userId, organizationId, period, at }) {
      await deleteRegistrations(sql, userId);
      const columns = sql`id, ${organizationId}::uuid as organization_id, name`;
      return await endedRows(sql, deletePasskeys(sql, userId, at, period), columns);
    },
  },
  identities: {
    tables: ["user_identities"],
    tokens: [],
    summary: "count",
    isNoticed: true,
    afterReset: "held",
    async remove(_, sql, { userId, proof, period }) {
      const kept = proof.kind === "social_sign_in" ? proof.identity : undefined;
      const name = configuredProviderName(sql, sql`ended.provider`);
      const columns = sql`provider as id, null::uuid as organization_id, ${name} as name`;
      const { items } = await endedRows(sql, unlinkIdentities(sql, userId, kept, period), columns);
      return { items: items.map((item) => ({ ...item, name: providerName(item.name ?? item.id) })), events: [] };
    },
  },
  company_accounts: {
    tables: ["sso_identities"],
    tokens: [],
    record: { action: "auth.sso.unlinked", resourceType: "user" },
    isNoticed: true,
    afterReset: "held",
    async remove(deps, sql, { userId, proof, period, client }) {
      const kept = proof.kind === "single_sign_on" ? proof.companyAccount : undefined;
      const { items } = await endedRows(sql, unlinkOwnLinks(sql, userId, kept, period));
      const organizationIds = items.flatMap(({ organizationId }) => organizationId ?? []);
      return { items, events: await withdrawRolesOfUser(deps, sql, { userId, client }, organizationIds) };
    },
  },
  invitations: {
    tables: ["invitations"],
    tokens: [],
    record: { action: "invitation.revoked", resourceType: "invitation" },
    summary: "count",
    isNoticed: true,
    servesOrganization: true,
    afterReset: "listed",
    remove: (_, sql, { userId, period, at }) =>
      endedRows(sql, revokeInvitationsOf(sql, userId, at, period), sql`id, organization_id, email as name`),
  },
  setup_links: {
    tables: ["sso_setup_links"],
    tokens: [],
    record: { action: "sso.setup_link.revoked", resourceType: "setup_link" },
    summary: "nonzero",
    isNoticed: true,
    servesOrganization: true,
    afterReset: "listed",
    async remove(deps, sql, { userId, organizationId, period, client, at }) {
      const columns = sql`id, organization_id, null as name`;
      const { items } = await endedRows(sql, endSetupLinksOf(sql, userId, at, period), columns);
      // A link may have created a key after the period.
      const actor = { userId, organizationId };
      const events: SessionEvent[] = [];
      for (const { id } of items) events.push(...(await endKeysOfSetupLink(deps, sql, id, { actor, client, at })));
      return { items, events };
    },
  },
  second_factor: {
    tables: ["totp_factors", "recovery_codes"],
    tokens: [],
    record: { action: "mfa.disabled", resourceType: "user" },
    summary: "flag",
    isNoticed: true,
    afterReset: "listed",
    remove: removeSecondFactor,
  },
  email_codes: {
    tables: ["email_codes", "sign_ups"],
    tokens: [],
    isNoticed: false,
    afterReset: "ended",
    remove: (_, sql, { userId }) =>
      endedSilently(sql`with pending as (${deleteSignUpsOf(sql, userId)}) ${deleteEmailCode(sql, userId)}`),
  },
  mailed_links: {
    tables: ["mailed_tokens"],
    tokens: [],
    isNoticed: false,
    afterReset: "ended",
    remove: (_, sql, { userId }) => endedSilently(deleteAllMailedTokens(sql, userId)),
  },
  address_changes: {
    tables: ["email_changes", "email_reservations", "user_emails"],
    tokens: [],
    isNoticed: false,
    afterReset: "held",
    async remove(_, sql, { userId, proof, period }) {
      // An undo voids the requests by their order, and keeps the undo link of an earlier request.
      if (!period) await voidChangesFrom(sql, userId, 0);
      const kept = proof.kind === "credential_review" ? proof.email : undefined;
      return await endedSilently(deleteEmailsOfPeriod(sql, userId, period ?? {}, kept));
    },
  },
  unfinished_sign_ins: {
    tables: [],
    tokens: ["mfa"],
    isNoticed: false,
    afterReset: "ended",
    remove: (_, sql, { userId, at }) => endedSilently(renewCredentialsEpoch(sql, userId, at)),
  },
  password: {
    tables: ["users"],
    tokens: [],
    summary: "flag",
    isNoticed: true,
    afterReset: "ended",
    async remove(_, sql, { userId, organizationId, proof, at }) {
      if (proof.kind === "password_reset") return NOTHING_ENDED;
      if (proof.kind === "credential_review" && !proof.endsReset) return NOTHING_ENDED;
      const columns = sql`id, ${organizationId}::uuid as organization_id, null as name`;
      return await endedRows(sql, removePassword(sql, userId, at), columns);
    },
  },
} as const satisfies Readonly<Record<string, CredentialKind>>;

export type CredentialKindName = keyof typeof CREDENTIAL_KINDS;

/** Whether recent credentials of a kind give no sign-in after a reset. */
export function isHeldAfterReset(name: CredentialKindName): boolean {
  return CREDENTIAL_KINDS[name].afterReset === "held";
}

const NOTHING_ENDED: EndedAccess = { items: [], events: [] };

const endedSilently = async (statement: PromiseLike<unknown>): Promise<EndedAccess> =>
  await statement.then(() => NOTHING_ENDED);

/** `columns`: id, organization_id and name in the result of the fragment `ended`. */
async function endedRows(sql: Sql, ended: Fragment, columns = sql`id, organization_id, name`): Promise<EndedAccess> {
  const items = await sql<EndedItem[]>`
    with ended as (${ended}), named as (select ${columns} from ended)
    select id::text, organization_id as "organizationId", name from named`;
  return { items: [...items], events: [] };
}

async function endSessionsOf(
  deps: SessionDeps,
  sql: Sql,
  { userId, proof, keepSession, reason, client }: Removal,
): Promise<EndedAccess> {
  const since = tokensLiveSince(deps);
  // A bound session ends with the connection, the membership or the power behind the connection, and needs no mailbox.
  const sessionIds =
    proof.kind === "managed_address"
      ? await lockUnboundSessions(sql, userId, since)
      : await lockLiveSessions(sql, { userId }, keepSession, since);
  const end = { userId, reason, auditAction: "auth.session.revoked", client } as const;
  const events = await endSessionsIn(deps, sql, sessionIds, end);
  return { items: sessionIds.map((id) => ({ id, organizationId: null, name: null })), events };
}

/**
 * Keeps a confirmed second factor where the address had been verified before (docs/contract.md, section 5.4), unless
 * the factor was set up in the period. A mailbox alone never removes the factor of a period, because the owner of the
 * account may have set the factor up.
 */
async function removeSecondFactor(
  _: SessionDeps,
  sql: Sql,
  { userId, organizationId, before, proof, period = {} }: Removal,
): Promise<EndedAccess> {
  if (proof.kind === "credential_review" && !proof.inSession) return NOTHING_ENDED;
  const kept = { isKept: before.emailVerified, period };
  await deleteEndedRecoveryCodes(sql, userId, kept);
  const removed = await sql<{ confirmedAt: Date | null }[]>`
    with ended as (${removeTotpFactor(sql, userId, kept)}) select confirmed_at as "confirmedAt" from ended`;
  const wasConfirmed = removed.some(({ confirmedAt }) => confirmedAt !== null);
  return wasConfirmed ? { items: [{ id: userId, organizationId, name: null }], events: [] } : NOTHING_ENDED;
}

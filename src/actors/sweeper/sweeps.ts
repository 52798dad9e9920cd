/** The kinds of rows that the sweeper deletes. */
import type { Sql } from "../../database/database.ts";
import { AVATAR_ORPHAN_RETENTION_MS } from "../../limits/avatar-limits.ts";
import { RELEASED_SLUG_MS } from "../../limits/claim-limits.ts";
import { TOMBSTONE_RETENTION_MS } from "../../limits/credential-limits.ts";
import { ERASURE_TOMBSTONE_MS } from "../../limits/deletion-limits.ts";
import { DIRECTORY_REQUEST_LIFETIME_MS, ERASED_RECORD_RETENTION_MS } from "../../limits/directory-limits.ts";
import { MISSES_DAY_MS } from "../../limits/factor-limits.ts";
import { API_KEY_RETENTION_MS, WEBHOOK_DELIVERY_RETENTION_MS } from "../../limits/machine-limits.ts";
import {
  DEVICE_CODE_KEPT_MS,
  OAUTH_DOCUMENT_UNUSED_MS,
  OAUTH_DYNAMIC_UNUSED_MS,
  OAUTH_REQUEST_KEPT_MS,
} from "../../limits/oauth-limits.ts";
import { SESSION_RETENTION_MS } from "../../limits/process-limits.ts";
import { SETUP_LINK_RETENTION_MS } from "../../limits/setup-link-limits.ts";
import { MEMBER_REMOVAL_LIFETIME_MS, SSO_ATTEMPT_LIFETIME_MS } from "../../limits/sso-limits.ts";
import { EMAIL_CHANGE_LIFETIME_MS } from "../../limits/user-email-limits.ts";
import { deleteOrphanedAvatars } from "../../models/avatar/avatar.ts";
import { deleteExpiredReviewLinks } from "../../models/credential-review/review-link.ts";
import { deleteEndedExports } from "../../models/data-export/data-export.ts";
import { deleteTombstones } from "../../models/deletion/deletion.ts";
import {
  deleteErasedRecords,
  deleteOldRequests,
  deleteSurplusRequests,
} from "../../models/directory/directory-retention.ts";
import { deleteExpiredEmails } from "../../models/email/email.ts";
import { deleteExpiredEmailLog } from "../../models/email/email-allowance.ts";
import { deleteExpiredEmailCodes } from "../../models/email-code/email-code.ts";
import { deleteEndedAddressAttempts, deleteEndedAttempts } from "../../models/failed-attempt/failed-attempt.ts";
import { deleteEndedMailedTokens } from "../../models/mailed-token/mailed-token.ts";
import { deleteOldRemovals } from "../../models/member/removal.ts";
import { deleteExpiredAssertions } from "../../models/oauth-client/client-assertion.ts";
import { deleteUnusedDocuments } from "../../models/oauth-client/document-client.ts";
import { deleteUnusedClients } from "../../models/oauth-client/dynamic-client.ts";
import { deleteExpiredRegistrationTokens } from "../../models/oauth-client/registration-token.ts";
import { deleteExpiredDeviceCodes } from "../../models/oauth-device/device-code.ts";
import { endAccessToDisabled } from "../../models/oauth-grant/api-access.ts";
import { deleteEndedFamilies, queueExpiredLogouts } from "../../models/oauth-grant/family-state.ts";
import { deleteExpiredCodes } from "../../models/oauth-grant/oauth-grant.ts";
import { deleteExpiredLogouts } from "../../models/oauth-logout/oauth-logout.ts";
import { deleteExpiredRequests, emptyExpiredRequests } from "../../models/oauth-request/oauth-request.ts";
import { deleteExpiredPushedRequests } from "../../models/oauth-request/pushed-request.ts";
import { deleteExpiredOauthStates } from "../../models/oauth-state/oauth-state.ts";
import { deleteReleasedSlugs } from "../../models/organization/organization.ts";
import { deleteExpiredChallenges, deletePasskeyTombstones } from "../../models/passkey/passkey.ts";
import { deleteEndedKeys } from "../../models/service-account/api-key.ts";
import { deleteExpiredFederationUses } from "../../models/service-account/trust.ts";
import { deleteExpiredEvents } from "../../models/session/revocation.ts";
import { deleteEndedSessions } from "../../models/session/session.ts";
import { deleteExpiredNotices } from "../../models/session/sign-in-notice.ts";
import { deleteOldSetupLinks } from "../../models/setup-link/setup-link.ts";
import { deleteExpiredSignUps } from "../../models/sign-up/sign-up.ts";
import {
  deleteExpiredOf,
  deleteOldAttempts,
  deleteSurplusAttempts,
} from "../../models/sso-connection/sso-retention.ts";
import { deleteEndedTrustedBrowsers } from "../../models/trusted-browser/trusted-browser.ts";
import { deleteExpiredChanges } from "../../models/user-email/email-change.ts";
import { deleteExpiredReservations, deletePendingEmails } from "../../models/user-email/user-email.ts";
import { deleteEndedDeliveries, deleteOrphanedDeliveries } from "../../models/webhook/delivery.ts";

type Remove = (sql: Sql, before: Date, batch: number) => Promise<number>;

/** The kinds of deleted rows, and the retention after their end. */
export const SWEEPS: readonly (readonly [statement: string, remove: Remove, retentionMs: number])[] = [
  ["session_event.sweep", deleteExpiredEvents, 0],
  ["session.sweep", deleteEndedSessions, SESSION_RETENTION_MS],
  ["email_code.sweep", deleteExpiredEmailCodes, 0],
  ["sign_up.sweep", deleteExpiredSignUps, 0],
  ["failed_attempt.sweep", deleteEndedAttempts, MISSES_DAY_MS],
  ["address_attempt.sweep", deleteEndedAddressAttempts, MISSES_DAY_MS],
  ["passkey_challenge.sweep", deleteExpiredChallenges, 0],
  ["passkey.sweep", deletePasskeyTombstones, TOMBSTONE_RETENTION_MS],
  ["trusted_browser.sweep", deleteEndedTrustedBrowsers, TOMBSTONE_RETENTION_MS],
  ["oauth_state.sweep", deleteExpiredOauthStates, 0],
  ["oauth_request.sweep_pushed", deleteExpiredPushedRequests, 0],
  ["oauth_request.empty", emptyExpiredRequests, 0],
  ["oauth_request.sweep", deleteExpiredRequests, OAUTH_REQUEST_KEPT_MS],
  ["oauth_device.sweep", deleteExpiredDeviceCodes, DEVICE_CODE_KEPT_MS],
  ["oauth_code.sweep", deleteExpiredCodes, 0],
  ["oauth_assertion.sweep", deleteExpiredAssertions, 0],
  ["federation_use.sweep", deleteExpiredFederationUses, 0],
  ["oauth_registration_token.sweep", deleteExpiredRegistrationTokens, 0],
  ["oauth_client.sweep_unused", deleteUnusedClients, OAUTH_DYNAMIC_UNUSED_MS],
  ["oauth_client.sweep_documents", deleteUnusedDocuments, OAUTH_DOCUMENT_UNUSED_MS],
  ["oauth_logout.queue_expired", queueExpiredLogouts, 0],
  ["oauth_logout.sweep", deleteExpiredLogouts, 0],
  ["oauth_family.end_disabled", endAccessToDisabled, 0],
  ["oauth_family.sweep", deleteEndedFamilies, SESSION_RETENTION_MS],
  ["email.sweep", deleteExpiredEmails, 0],
  ["email_log.sweep", deleteExpiredEmailLog, 0],
  ["mailed_token.sweep", deleteEndedMailedTokens, 0],
  ["sign_in_notice.sweep", deleteExpiredNotices, 0],
  ["credential_review_link.sweep", deleteExpiredReviewLinks, 0],
  ["email_change.sweep", deleteExpiredChanges, 0],
  ["data_export.sweep", deleteEndedExports, 0],
  ["deletion.sweep", deleteTombstones, ERASURE_TOMBSTONE_MS],
  ["email_reservation.sweep", deleteExpiredReservations, 0],
  ["released_slug.sweep", deleteReleasedSlugs, RELEASED_SLUG_MS],
  ["user_email.sweep_pending", deletePendingEmails, EMAIL_CHANGE_LIFETIME_MS],
  ["avatar.sweep", deleteOrphanedAvatars, AVATAR_ORPHAN_RETENTION_MS],
  ["api_key.sweep", deleteEndedKeys, API_KEY_RETENTION_MS],
  ["webhook_delivery.sweep", deleteEndedDeliveries, WEBHOOK_DELIVERY_RETENTION_MS],
  ["sso_request.sweep", deleteExpiredOf("sso_requests"), 0],
  ["sso_outcome.sweep", deleteExpiredOf("sso_outcomes"), 0],
  ["sso_consumed.sweep", deleteExpiredOf("sso_consumed"), 0],
  ["sso_test.sweep", deleteExpiredOf("sso_tests"), 0],
  ["setup_link.sweep", deleteOldSetupLinks, SETUP_LINK_RETENTION_MS],
  ["sso_attempt.sweep", deleteOldAttempts, SSO_ATTEMPT_LIFETIME_MS],
  ["sso_attempt.sweep_surplus", deleteSurplusAttempts, 0],
  ["member_removal.sweep", deleteOldRemovals, MEMBER_REMOVAL_LIFETIME_MS],
  ["directory_request.sweep", deleteOldRequests, DIRECTORY_REQUEST_LIFETIME_MS],
  ["directory_request.trim", deleteSurplusRequests, 0],
  ["directory_user.sweep", deleteErasedRecords, ERASED_RECORD_RETENTION_MS],
  ["webhook_delivery.sweep_orphaned", (sql, _before, batch) => deleteOrphanedDeliveries(sql, batch), 0],
];

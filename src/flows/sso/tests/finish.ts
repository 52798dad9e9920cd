import type { RequestContext } from "../../../base/request-context.ts";
import type { Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { SSO_TEST_RESULT_LIFETIME_MS } from "../../../limits/sso-sign-in-limits.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import { lockMembership } from "../../../models/member/members.ts";
import { findActivePower } from "../../../models/member/provisioned-user.ts";
import { lockBegunSetupLink } from "../../../models/setup-link/setup-link.ts";
import {
  findStartedTest,
  markTested,
  saveTestResult,
  sealTestResult,
} from "../../../models/sso-connection/connection-test.ts";
import { holds } from "../../../vocabulary/member-power.ts";
import { type Actor, userAuditEvent } from "../../steps/audit/audit-event.ts";
import { setupLinkCallerOf } from "../../steps/authorization/authorize-member.ts";
import { findCreator } from "../../steps/authorization/authorize-setup-link.ts";
import type { SsoDeps, UsableConnection } from "../sign-in/connection.ts";
import type { AssertedIdentity } from "../sign-in/map-claims.ts";
import { previewProvisioning } from "../sign-in/preview-provisioning.ts";
import type { SsoReason } from "../sign-in/refusals.ts";
import type { ReceivedValues } from "./received-values.ts";
import { checksOfFailure, checksOfIdentity, isSuccess, mappingOf, type TestResult } from "./test-result.ts";

/** The response of the identity provider in a test. */
export interface TestedResponse {
  readonly connection: UsableConnection;
  readonly state: string;
  readonly userId: string | null;
  readonly client: RequestContext;
  readonly outcome: Result<
    { readonly received: ReceivedValues; readonly asserted: AssertedIdentity },
    { readonly reason: SsoReason; readonly cause?: string }
  >;
}

/**
 * Stores the result of a test, if the user who began the test still has `sso.manage`. A test creates no session,
 * user or identity, and consumes its request in any case.
 */
export async function finishSsoTest(deps: SsoDeps, response: TestedResponse): Promise<void> {
  const { connection, state, userId, client } = response;
  const at = new Date(deps.clock.now());
  const result = await resultOf(deps, response, at);
  const succeeded = response.outcome.ok && isSuccess(result.checks);
  const expiresAt = new Date(at.getTime() + SSO_TEST_RESULT_LIFETIME_MS);
  const { organizationId } = connection;
  const reason = response.outcome.ok ? undefined : response.outcome.error.reason;
  const event = {
    action: "sso.connection.tested",
    at,
    resource: { type: "sso_connection", id: connection.id },
    outcome: succeeded ? "success" : "failure",
    metadata: reason === undefined ? {} : { reason },
  } as const;
  await deps.database.transaction("sso_test.finish", async (sql) => {
    const test = await findStartedTest(sql, connection.id, state);
    const actor = test && (await findActor(sql, organizationId, { userId, setupLinkId: test.setupLinkId, at }));
    if (!test || !actor) return;
    const { id, setupLinkId } = test;
    // Accounts of members are outside of the tasks of a set-up link.
    const displayed = setupLinkId === null ? result : { ...result, effect: null };
    await saveTestResult(sql, id, { sealed: sealTestResult(deps, id, displayed), succeeded, expiresAt });
    await markTested(sql, connection, succeeded, at);
    await recordAudit(sql, userAuditEvent(deps, actor, client, event));
  });
}

interface TestedBy {
  readonly userId: string | null;
  readonly setupLinkId: string | null;
  readonly at: Date;
}

/** The administrator or the live set-up link of a test; undefined after a loss of the permission during the test. */
async function findActor(
  sql: Sql,
  organizationId: string,
  { userId, setupLinkId, at }: TestedBy,
): Promise<Actor | undefined> {
  if (setupLinkId !== null) {
    const link = await lockBegunSetupLink(sql, setupLinkId, at);
    return link && (await findCreator(sql, link)) ? setupLinkCallerOf(link).actor : undefined;
  }
  return userId !== null && (await isAdministrator(sql, organizationId, userId))
    ? { userId, organizationId }
    : undefined;
}

/** A user who lost the permission during the test reports nothing, and allows no activation. */
async function isAdministrator(sql: Sql, organizationId: string, userId: string): Promise<boolean> {
  await lockMembership(sql, organizationId, userId);
  const power = await findActivePower(sql, organizationId, userId);
  return power !== undefined && holds(power, "sso.manage");
}

async function resultOf(deps: SsoDeps, response: TestedResponse, at: Date): Promise<TestResult> {
  const { connection, outcome, client, userId } = response;
  if (!outcome.ok) {
    const { reason, cause = null } = outcome.error;
    const checks = checksOfFailure(connection, reason, cause);
    return { at: at.toISOString(), checks, claims: [], mapping: null, effect: null };
  }
  const { received, asserted } = outcome.value;
  // The administrator who tests a draft is the user who activates the connection.
  const activated = { ...connection, activatedBy: connection.activatedBy ?? userId };
  const { inDomain, effect } = await previewProvisioning(deps, { connection: activated, asserted, client, at });
  return {
    at: at.toISOString(),
    checks: checksOfIdentity({ ...connection, received, asserted, inDomain }),
    claims: received.values,
    mapping: mappingOf(asserted),
    effect,
  };
}

/** Tests of connections by administrators, and their results for a day. */
import type { ssoTests } from "../../../db/schema/sso-connections.ts";
import type { Random } from "../../base/random.ts";
import { open, type SealingKey, seal } from "../../base/seal.ts";
import { hashToken } from "../../base/token-hash.ts";
import type { Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";

type TestRow = RowOf<typeof ssoTests>;

/** Associated data: a result copied to another test does not open (G22). */
function identity(testId: string): string {
  return `sso-test:${testId}`;
}

export function sealTestResult(
  deps: { readonly sealing: SealingKey; readonly random: Random },
  testId: string,
  result: unknown,
): Buffer {
  return seal(deps.sealing, deps.random, identity(testId), Buffer.from(JSON.stringify(result)));
}

/** Undefined for a row that was tampered with, and for a row sealed under another root secret. */
export function openTestResult({ sealing }: { readonly sealing: SealingKey }, testId: string, sealed: Buffer): unknown {
  const plaintext = open(sealing, identity(testId), sealed);
  return plaintext && JSON.parse(plaintext.toString());
}

export async function insertTest(
  sql: Sql,
  test: Pick<
    TestRow,
    "id" | "connectionId" | "connectionRevision" | "userId" | "sessionId" | "setupLinkId" | "createdAt" | "expiresAt"
  > & {
    readonly handle: string;
  },
): Promise<void> {
  await sql`
    insert into sso_tests (id, connection_id, connection_revision, handle_hash, user_id, session_id,
                           setup_link_id, created_at, expires_at)
    values (${test.id}, ${test.connectionId}, ${test.connectionRevision}, ${hashToken(test.handle)}, ${test.userId},
            ${test.sessionId}, ${test.setupLinkId}, ${test.createdAt}, ${test.expiresAt})`;
}

/** What the URL of a test presents, in the session of the administrator. */
export interface TestProof {
  readonly handle: string;
  readonly connectionId: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** Consumes the handle of the URL: from now on the `state` of the request identifies the test. */
export async function startTest(
  sql: Sql,
  { handle, connectionId, userId, sessionId }: TestProof,
  state: string,
  at: Date,
): Promise<boolean> {
  const rows = await sql`
    update sso_tests set handle_hash = ${hashToken(state)}
    where handle_hash = ${hashToken(handle)} and connection_id = ${connectionId} and user_id = ${userId}
      and session_id = ${sessionId} and sealed_result is null and expires_at > ${at}
    returning id`;
  return rows.length > 0;
}

/** The test of a consumed request. */
export async function findStartedTest(
  sql: Sql,
  connectionId: string,
  state: string,
): Promise<Pick<TestRow, "id" | "setupLinkId"> | undefined> {
  const [row] = await sql<Pick<TestRow, "id" | "setupLinkId">[]>`
    select id, setup_link_id as "setupLinkId" from sso_tests
    where handle_hash = ${hashToken(state)} and connection_id = ${connectionId}`;
  return row;
}

export async function saveTestResult(
  sql: Sql,
  id: string,
  result: { readonly sealed: Buffer; readonly succeeded: boolean; readonly expiresAt: Date },
): Promise<void> {
  await sql`
    update sso_tests
    set handle_hash = null, sealed_result = ${result.sealed}, succeeded = ${result.succeeded},
        expires_at = ${result.expiresAt}
    where id = ${id}`;
}

/**
 * Records a finished test of a revision. A connection that changed during the test stays untested. The revision stays:
 * replicas hold no such times.
 */
export async function markTested(
  sql: Sql,
  { id, revision }: { readonly id: string; readonly revision: number },
  succeeded: boolean,
  at: Date,
): Promise<void> {
  const testedAt = succeeded ? sql`${at}::timestamptz` : sql`tested_at`;
  await sql`
    update sso_connections set last_test_at = ${at}, tested_at = ${testedAt}
    where id = ${id} and revision = ${revision}`;
}

/** The latest result of a connection. */
export async function findTestResult(
  sql: Sql,
  connectionId: string,
  at: Date,
): Promise<Pick<TestRow, "id" | "connectionRevision" | "userId" | "sealedResult" | "succeeded"> | undefined> {
  const [row] = await sql<Pick<TestRow, "id" | "connectionRevision" | "userId" | "sealedResult" | "succeeded">[]>`
    select id, connection_revision as "connectionRevision", user_id as "userId", sealed_result as "sealedResult",
           succeeded
    from sso_tests where connection_id = ${connectionId} and sealed_result is not null and expires_at > ${at}
    order by expires_at desc limit 1`;
  return row;
}

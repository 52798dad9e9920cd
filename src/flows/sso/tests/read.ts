import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps, StoreDeps } from "../../../deps.ts";
import { findTestResult, openTestResult } from "../../../models/sso-connection/connection-test.ts";
import { type ConnectionReference, readConnection } from "../connections/read.ts";
import type { TestResult } from "./test-result.ts";

const NO_RESULT = refusal("not_found", "There is no test of this connection within the last 24 hours.");

/** The latest result of a test of a connection. */
export interface ConnectionTestView {
  readonly id: string;
  /** The administrator. */
  readonly userId: string;
  readonly succeeded: boolean;
  /** Whether the connection has the settings of the test. */
  readonly isCurrent: boolean;
  readonly result: TestResult;
}

/** GET /v1/orgs/:org_id/sso/connections/:id/test (docs/contract.md, section 29.13). */
export async function readConnectionTest(
  deps: StoreDeps & Pick<Deps, "sealing">,
  input: ConnectionReference,
): Promise<Result<ConnectionTestView, Refusal<"not_found">>> {
  const found = await readConnection(deps, input);
  if (!found.ok) return found;
  const at = new Date(deps.clock.now());
  const test = await deps.database.run("sso_test.find", (sql) => findTestResult(sql, input.connectionId, at));
  const result = test?.sealedResult && (openTestResult(deps, test.id, test.sealedResult) as TestResult | undefined);
  if (!test || !result) return err(NO_RESULT);
  const isCurrent = test.connectionRevision === found.value.connection.revision;
  return ok({ id: test.id, userId: test.userId, succeeded: test.succeeded === true, isCurrent, result });
}

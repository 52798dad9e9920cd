import { makeOpaqueToken } from "../../../base/opaque-token.ts";
import { type Refusal, rateLimited } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps, StoreDeps } from "../../../deps.ts";
import { SSO_TEST_URL_LIFETIME_MS, SSO_TESTS_MAX, SSO_TESTS_WINDOW_MS } from "../../../limits/sso-sign-in-limits.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { insertTest } from "../../../models/sso-connection/connection-test.ts";
import type { ConnectionInput } from "../connections/audit-connection.ts";
import { readConnection } from "../connections/read.ts";
import { missingSettings } from "../connections/set-status.ts";
import { connectionUrls } from "../connections/urls.ts";

/** The administrator or set-up link of a test. */
export interface Tester {
  /** The administrator, or the creator of the set-up link. */
  readonly userId: string;
  /** The session of the administrator, or the id of the set-up link. */
  readonly sessionId: string;
  /** Null: the administrator. */
  readonly setupLinkId: string | null;
}

interface TestInput extends Pick<ConnectionInput, "caller" | "connectionId"> {
  readonly tester: Tester;
}

interface CreatedTest {
  /** The address for the browser of the administrator. */
  readonly url: string;
  /** The secret of the URL. */
  readonly handle: string;
}

/** The tester of a session. */
export function testerOf({ id, userId }: SessionView): Tester {
  return { userId, sessionId: id, setupLinkId: null };
}

type TestProblem = Refusal<"conflict" | "not_found" | "rate_limited">;

/**
 * POST /v1/orgs/:org_id/sso/connections/:id/test (docs/contract.md, section 29.13): the URL of a test, for the session
 * of the caller, once.
 */
export async function createConnectionTest(
  deps: StoreDeps & Pick<Deps, "state">,
  input: TestInput,
): Promise<Result<CreatedTest, TestProblem>> {
  const found = await readConnection(deps, input);
  if (!found.ok) return found;
  const { connection } = found.value;
  const incomplete = missingSettings(connection);
  if (incomplete) return err(incomplete);
  const counted = await countTest(deps, connection.id);
  if (!counted.ok) return counted;
  const handle = makeOpaqueToken(deps.random);
  const createdAt = new Date(deps.clock.now());
  const expiresAt = new Date(createdAt.getTime() + SSO_TEST_URL_LIFETIME_MS);
  const { tester } = input;
  const test = {
    id: deps.random.uuid(),
    connectionId: connection.id,
    connectionRevision: connection.revision,
    handle,
    ...tester,
    createdAt,
    expiresAt,
  };
  await deps.database.run("sso_test.insert", (sql) => insertTest(sql, test));
  const url = `${connectionUrls(deps, connection.id).initiateLoginUri}?intent=test&handle=${handle}`;
  return ok({ url, handle });
}

/**
 * Redis key `service:sso-tests:<connection id>`; after a loss of the key the count starts at zero. The limit holds with
 * `SERVICE_RATE_LIMITS=off` too: each test calls servers of third parties.
 */
async function countTest(
  { state }: Pick<Deps, "state">,
  connectionId: string,
): Promise<Result<void, Refusal<"rate_limited">>> {
  const { count, resetMs } = await state.count(`service:sso-tests:${connectionId}`, SSO_TESTS_WINDOW_MS);
  if (count <= SSO_TESTS_MAX) return ok(undefined);
  return err(
    rateLimited("sso_tests", resetMs / 1000, "too many tests of a connection", {
      counters: { count, limit: SSO_TESTS_MAX, window_seconds: SSO_TESTS_WINDOW_MS / 1000 },
    }),
  );
}

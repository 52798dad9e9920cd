import { isOpaqueToken, makeOpaqueToken } from "../../../base/opaque-token.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { startTest, type TestProof } from "../../../models/sso-connection/connection-test.ts";
import { findUsable, type SsoDeps, type UsableConnection } from "../sign-in/connection.ts";
import { NO_CONNECTION, requestIdentity, type SsoStarted, type StartRefusal } from "../sign-in/start.ts";
import type { Tester } from "./create.ts";
import { finishSsoTest } from "./finish.ts";

export interface SsoTestStart {
  readonly connectionId: string;
  /** From the URL of the test. */
  readonly handle: string | undefined;
  /** Undefined: nobody is signed in. */
  readonly tester: Tester | undefined;
  readonly client: RequestContext;
}

/**
 * GET /v1/auth/sso/:connection_id/start with the intent `test` (docs/contract.md, section 29.13). The URL of a test
 * works in the session of the administrator, once; any other use is `not_found`.
 */
export async function startSsoTest(
  deps: SsoDeps,
  { connectionId, handle, tester, client }: SsoTestStart,
): Promise<Result<SsoStarted, StartRefusal>> {
  const connection = findUsable(deps, connectionId);
  if (!connection || !tester || !isOpaqueToken(handle)) return err(NO_CONNECTION);
  const { userId, sessionId } = tester;
  const redirectTo = resultPage(connectionId, tester);
  const purpose = { intent: "test", userId, sessionId, redirectTo, maxAge: null } as const;
  const proof = { handle, connectionId, userId, sessionId };
  const started = await requestIdentity(deps, connection, purpose, {
    admit: (sql, state, at) => startTest(sql, proof, state, at),
  });
  if (started.ok || started.error.code !== "internal_error") return started;
  return await finishWithoutMetadata(deps, { connection, proof, redirectTo, client, cause: started.error.cause });
}

/** An identity provider without metadata is a result of the test. */
async function finishWithoutMetadata(
  deps: SsoDeps,
  {
    connection,
    proof,
    redirectTo,
    client,
    cause,
  }: {
    readonly connection: UsableConnection;
    readonly proof: TestProof;
    readonly redirectTo: string;
    readonly client: RequestContext;
    readonly cause: string | undefined;
  },
): Promise<Result<SsoStarted, StartRefusal>> {
  const [state, browserToken] = [makeOpaqueToken(deps.random), makeOpaqueToken(deps.random)];
  const at = new Date(deps.clock.now());
  const admitted = await deps.database.run("sso_test.start", (sql) => startTest(sql, proof, state, at));
  if (!admitted) return err(NO_CONNECTION);
  const failure = { reason: "discovery", ...(cause === undefined ? {} : { cause }) } as const;
  await finishSsoTest(deps, { connection, state, userId: proof.userId, client, outcome: err(failure) });
  return ok({ location: redirectTo, handle: state, browserToken });
}

/** The page of the connection, which displays the result. */
function resultPage(connectionId: string, { setupLinkId }: Tester): string {
  return setupLinkId === null ? `/team/single-sign-on/${connectionId}` : "/setup/connection";
}

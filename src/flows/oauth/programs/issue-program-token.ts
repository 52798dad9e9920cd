/** Access tokens of service accounts for this API (docs/contract.md, section 35.10). */
import { unixSeconds } from "../../../base/clock.ts";
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { insertAudit, recordAudit } from "../../../models/audit/audit.ts";
import { hasScope, type KeyView } from "../../../models/service-account/api-key.ts";
import { insertFederationUse } from "../../../models/service-account/trust.ts";
import { encodeProviderHeader } from "../../../models/token/compact.ts";
import type { ProgramClaims } from "../../../models/token/program-claims.ts";
import { isKeyScope, type KeyScope } from "../../../vocabulary/key-scope.ts";
import { resourceKey } from "../../../vocabulary/resource-key.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { programActor } from "../../steps/audit/program-actor.ts";
import { signRs256 } from "../../steps/tokens/issue-session-tokens.ts";
import { ownResourceOf } from "../../steps/tokens/own-resource.ts";
import type { Parameters } from "../request/parameters.ts";
import { readScopes } from "../request/requested.ts";
import { confirmationOf, tokenTypeOf } from "../request/token-binding.ts";
import {
  type AuthenticatedProgram,
  type AuthenticateProgramDeps,
  refuseReplayed,
  shownSubject,
} from "./authenticate-program.ts";

export type IssueProgramTokenDeps = AuthenticateProgramDeps & Pick<Deps, "config" | "keyRing" | "signing">;

export interface ProgramTokenRequest {
  readonly program: AuthenticatedProgram;
  readonly parameters: Parameters;
  readonly requestContext: RequestContext;
  /** The thumbprint of the key to which the token is bound; undefined: a Bearer token. */
  readonly thumbprint: string | undefined;
}

/** RFC 6749, section 5.1. */
export interface ProgramToken {
  readonly accessToken: string;
  readonly tokenType: "Bearer" | "DPoP";
  readonly expiresInSeconds: number;
  readonly scope: string;
}

const NO_SCOPE = oauthRefusal("invalid_scope", "The service account may have none of these scopes.");
const OTHER_RESOURCE = oauthRefusal("invalid_target", "A service account receives tokens for this API alone.");

/** RFC 6749, section 4.4: a token of the service account for this API, without a refresh token. */
export async function issueProgramToken(
  deps: IssueProgramTokenDeps,
  { program, parameters, requestContext, thumbprint }: ProgramTokenRequest,
): Promise<Result<ProgramToken, OAuthRefusal<"invalid_client" | "invalid_scope" | "invalid_target">>> {
  const { credential } = program;
  const resource = ownResourceOf(deps);
  const others = parameters.all("resource").filter((each) => resourceKey(each) !== resourceKey(resource));
  if (others.length > 0) return err(OTHER_RESOURCE);
  const scopes = grantedScopes(credential, parameters);
  if (!scopes.ok) return scopes;
  const claims = claimsOf(deps, program, scopes.value, thumbprint);
  if (!(await recordIssue(deps, program, claims, requestContext))) {
    return err(await refuseReplayed(deps, program, requestContext));
  }
  if (program.assertion) deps.telemetry.metrics.federationExchange("success");
  const accessToken = await signRs256(deps, credential.serviceAccountId, claims, ({ kid }) =>
    encodeProviderHeader("oauth_access", "RS256", kid),
  );
  const expiresInSeconds = claims.exp - claims.iat;
  return ok({ accessToken, tokenType: tokenTypeOf(thumbprint), expiresInSeconds, scope: claims.scope });
}

/** The requested scopes within the scopes of the credential; further scopes are left out (RFC 6749, section 3.3). */
function grantedScopes(
  credential: KeyView,
  parameters: Parameters,
): Result<readonly KeyScope[], OAuthRefusal<"invalid_scope">> {
  const requested = readScopes(parameters);
  if (!requested.ok) return requested;
  const scopes = (requested.value ?? credential.scopes).filter(isKeyScope);
  const granted = scopes.filter((scope) => hasScope(credential, scope));
  return granted.length === 0 ? err(NO_SCOPE) : ok(granted);
}

function claimsOf(
  deps: IssueProgramTokenDeps,
  { credential, tokenSeconds }: AuthenticatedProgram,
  scopes: readonly KeyScope[],
  thumbprint: string | undefined,
): ProgramClaims {
  const { id, serviceAccountId, organizationId, kind, expiresAt, tokensFrom = 0 } = credential;
  const iat = Math.max(unixSeconds(deps.clock.now()), tokensFrom);
  return {
    iss: deps.config.urls.publicBaseUrl,
    typ: "program",
    sub: serviceAccountId,
    aud: ownResourceOf(deps),
    client_id: serviceAccountId,
    scope: scopes.join(" "),
    sid: id,
    jti: deps.random.uuid(),
    iat,
    exp: Math.min(iat + tokenSeconds, unixSeconds(expiresAt)),
    ...(organizationId === null ? {} : { org: organizationId }),
    ...(kind === "trust" ? { federated: true } : {}),
    ...confirmationOf(thumbprint),
  };
}

/**
 * Records the issue, and consumes the assertion in one statement. False for an assertion that was used before: of
 * parallel uses one continues.
 */
async function recordIssue(
  deps: IssueProgramTokenDeps,
  { credential, assertion }: AuthenticatedProgram,
  { jti, scope, exp }: ProgramClaims,
  client: RequestContext,
): Promise<boolean> {
  const subject = assertion ? { subject: shownSubject(assertion.subject) } : {};
  const entry = userAuditEvent(deps, programActor({ ...credential, isToken: true }), client, {
    action: "service_account.token_issued",
    at: new Date(deps.clock.now()),
    resource: { type: "service_account", id: credential.serviceAccountId },
    metadata: { jti, scopes: scope, expires_at: new Date(exp * 1000).toISOString(), ...subject },
  });
  const use = assertion?.use;
  if (!use) {
    await deps.database.run("service_account.record_token", (sql) => recordAudit(sql, entry));
    return true;
  }
  const rows = await deps.database.run(
    "service_account.consume_assertion",
    (sql) => sql`
      with used as (${insertFederationUse(sql, use)}), audit as (${insertAudit(sql, entry, sql`from used`)})
      select used from used`,
  );
  return rows.length > 0;
}

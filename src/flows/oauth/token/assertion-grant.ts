/** Access granted by the identity provider of an organization (ID-JAG; docs/contract.md, section 23.18). */
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import { consumeAssertion } from "../../../models/oauth-client/client-assertion.ts";
import { sha256 } from "../../../models/oauth-client/client-secret.ts";
import { clientIdOf, servesOrganization } from "../../../models/oauth-client/oauth-client.ts";
import { insertAssertionFamily } from "../../../models/oauth-grant/assertion-family.ts";
import { subjectOf } from "../../../models/oauth-grant/subject.ts";
import { findFamilyState } from "../../../models/oauth-grant/token-family.ts";
import { findSsoIdentity } from "../../../models/sso-identity/sso-identity.ts";
import type { VerifiedAssertion } from "../../../providers/sso/openid-assertion.ts";
import { resourceKey } from "../../../vocabulary/resource-key.ts";
import { type OidcConnection, partyOf } from "../../sso/sign-in/connection.ts";
import { mapClaims, signInTime, timeOf } from "../../sso/sign-in/map-claims.ts";
import { provisionMember } from "../../sso/sign-in/provision.ts";
import { coversMember } from "../../steps/channels/covers-member.ts";
import { disclosedDataOf } from "../claims/select-mappings.ts";
import { accessTokenSeconds } from "../request/lifetimes.ts";
import { availableResources, needsProof, readScopes } from "../request/requested.ts";
import { ORGANIZATION_EXCLUDED, offeredScopes } from "../request/role-scopes.ts";
import { PROOF_REQUIRED } from "../request/verify-proof.ts";
import { BAD_ASSERTION, findConnection } from "./assertion-connection.ts";
import { admitFamilyTokens, issueFamilyTokens } from "./issue-tokens.ts";
import type { TokenDeps, TokenErrorCode, TokenOutcome, TokenRequest } from "./token-request.ts";

type Refused = OAuthRefusal<TokenErrorCode>;
interface Access {
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
}

const BAD_TARGET = oauthRefusal("invalid_target", "The assertion names no registered API that the client may request.");
const NO_SCOPE = oauthRefusal("invalid_scope", "The assertion and the client have none of these scopes in common.");
/** The tokens have no ID token and no refresh token. */
const EXCLUDED_SCOPES: ReadonlySet<string> = new Set(["openid", "offline_access"]);

/**
 * The grant `jwt-bearer` with an identity assertion: an access token for one API, for a member of the organization of
 * the connection. The family has no session and ends with membership, identity, connection and client.
 */
export async function grantByAssertion(deps: TokenDeps, request: TokenRequest): TokenOutcome {
  const { client, parameters } = request;
  const assertion = parameters.one("assertion");
  if (assertion === undefined) return err(oauthRefusal("invalid_request", "assertion is missing."));
  const connection = await findConnection(deps, client, assertion);
  if (!connection.ok) return connection;
  if (!servesOrganization(client, connection.value.organizationId)) return err(ORGANIZATION_EXCLUDED);
  const granted = await grantFor(deps, request, connection.value, assertion);
  await recordAssertion(deps, request, connection.value, granted.ok ? undefined : granted.error);
  return granted;
}

async function grantFor(
  deps: TokenDeps,
  request: TokenRequest,
  connection: OidcConnection,
  assertion: string,
): TokenOutcome {
  const { client, thumbprint } = request;
  const expected = { audience: deps.config.urls.publicBaseUrl, clientId: clientIdOf(client) };
  const verified = await partyOf(deps, connection).verifyAssertion(assertion, expected);
  if (!verified.ok) return err({ ...BAD_ASSERTION, cause: verified.error.cause });
  const access = accessOf(deps, request, verified.value);
  if (!access.ok) return access;
  if (thumbprint === undefined && needsProof(deps, access.value.resources)) return err(PROOF_REQUIRED);
  if (!(await isFirstUse(deps, request, connection, verified.value))) return err({ ...BAD_ASSERTION, cause: "used" });
  const userId = await findMember(deps, request, connection, verified.value);
  if (userId === undefined) return err({ ...BAD_ASSERTION, cause: "no member" });
  const signedInAt = signInTimeOf(deps, verified.value);
  return await issue(deps, request, { connection, assertion, signedInAt, userId, access: access.value });
}

/** The time from which the lifetimes of the policy count: by `auth_time`, else `iat`, at the latest now. */
function signInTimeOf({ clock }: Pick<TokenDeps, "clock">, { claims }: VerifiedAssertion): Date {
  const now = clock.now();
  return new Date(signInTime(timeOf(claims.auth_time) ?? timeOf(claims.iat) ?? now, now));
}

/** Scopes of assertion, request and client, for one registered API of the client. */
function accessOf(
  deps: TokenDeps,
  { client, parameters }: TokenRequest,
  { claims }: VerifiedAssertion,
): Result<Access, Refused> {
  const named = [claims.resource].flat();
  const [resource] = named;
  const requestedApis = parameters.all("resource");
  const isNamed =
    typeof resource === "string" && named.length === 1 && requestedApis.every((each) => isSame(each, resource));
  const permitted = isNamed ? availableResources(deps, client).find((each) => isSame(each, resource)) : undefined;
  if (permitted === undefined || !deps.oauthResources.index().byKey.has(resourceKey(permitted))) return err(BAD_TARGET);
  const requested = readScopes(parameters);
  if (!requested.ok) return requested;
  const asserted = typeof claims.scope === "string" ? claims.scope.split(" ") : [];
  const common = client.scopes.filter(
    (scope) => asserted.includes(scope) && (requested.value?.includes(scope) ?? true) && !EXCLUDED_SCOPES.has(scope),
  );
  const scopes = offeredScopes(deps, { scopes: common, resources: [permitted] });
  return scopes.length === 0 ? err(NO_SCOPE) : ok({ scopes, resources: [permitted] });
}

function isSame(left: string, right: string): boolean {
  return resourceKey(left) === resourceKey(right);
}

/** Each `jti` of an issuer works once, in PostgreSQL: the loss of Redis data permits no repetition. */
async function isFirstUse(
  deps: TokenDeps,
  { client }: TokenRequest,
  { id }: OidcConnection,
  { jti, expiresAt }: VerifiedAssertion,
): Promise<boolean> {
  const used = { clientId: client.id, jtiHash: sha256(`${id}\n${jti}`), expiresAt: new Date(expiresAt * 1000) };
  return await deps.database.run("oauth_assertion.consume", (sql) => consumeAssertion(sql, used));
}

/**
 * The user of a linked identity, else the user of the asserted address by the rules of sign-ins. As at a sign-in, a
 * member above the person behind the connection needs a link that the member made in person.
 */
async function findMember(
  deps: TokenDeps,
  { requestContext }: TokenRequest,
  connection: OidcConnection,
  { claims }: VerifiedAssertion,
): Promise<string | undefined> {
  const subject = String(claims.sub);
  const linked = await deps.database.run("sso_identity.find", async (sql) => {
    const identity = await findSsoIdentity(sql, connection.id, subject);
    if (!identity || identity.held || identity.linkedBy === "user") return identity;
    return { ...identity, held: !(await coversMember(sql, connection, identity.userId)) };
  });
  if (linked) return linked.held ? undefined : linked.userId;
  const mapped = mapClaims({ ...connection.config, subject_from: "sub" }, { idToken: claims, mapped: claims });
  if (!mapped.ok) return undefined;
  const input = { connection, asserted: mapped.value, client: requestContext, at: new Date(deps.clock.now()) };
  const provisioned = await provisionMember(deps, input);
  return provisioned.ok ? provisioned.value.userId : undefined;
}

interface AssertedAccess {
  readonly connection: OidcConnection;
  readonly assertion: string;
  readonly signedInAt: Date;
  readonly userId: string;
  readonly access: Access;
}

async function issue(
  deps: TokenDeps,
  { client, thumbprint }: TokenRequest,
  { connection, assertion, signedInAt, userId, access }: AssertedAccess,
): TokenOutcome {
  const at = new Date(deps.clock.now());
  const family = {
    id: deps.random.uuid(),
    familyId: deps.random.uuid(),
    userId,
    clientId: client.id,
    organizationId: connection.organizationId,
    connectionId: connection.id,
    ...access,
    // The organization decides in place of the user.
    data: disclosedDataOf(deps, client, access),
    assertionHash: sha256(assertion),
    subject: subjectOf(deps.codeKey, client, userId),
    unusedIds: [deps.random.uuid(), deps.random.uuid()] as const,
    accessJti: deps.random.uuid(),
    authTime: signedInAt,
    expiresAt: new Date(at.getTime() + accessTokenSeconds(deps, access.resources) * 1000),
    at,
  };
  const inserted = await deps.database.run("oauth_family.insert_asserted", (sql) => insertAssertionFamily(sql, family));
  const found = inserted
    ? await deps.database.run("oauth_family.find", (sql) => findFamilyState(sql, { ...family, at }))
    : undefined;
  if (!found) return err({ ...BAD_ASSERTION, cause: "membership, identity or connection has ended" });
  const withoutRefresh = { ...client, grantTypes: [] };
  const requested = { family: found.family, client: withoutRefresh, ...access, withNonce: false, thumbprint };
  const admitted = await admitFamilyTokens(deps, requested);
  return admitted.ok ? ok(await issueFamilyTokens(deps, admitted.value)) : admitted;
}

/** The organization reads the use of its identity provider in the audit trail. */
async function recordAssertion(
  deps: TokenDeps,
  { client, requestContext }: TokenRequest,
  { id, organizationId }: OidcConnection,
  refused: Refused | undefined,
): Promise<void> {
  await deps.database.run("oauth_assertion.record", (sql) =>
    recordAudit(sql, {
      eventId: deps.random.uuid(),
      at: new Date(deps.clock.now()),
      action: refused ? "oauth.assertion.refused" : "oauth.assertion.accepted",
      outcome: refused ? "failure" : "success",
      organizationId,
      actorId: null,
      actorType: "system",
      resourceType: "oauth_client",
      resourceId: client.id,
      metadata: { connection_id: id, ...(refused ? { reason: refused.oauth } : {}) },
      client: requestContext,
    }),
  );
}

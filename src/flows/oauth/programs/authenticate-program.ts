/** Authentication of service accounts at the OAuth endpoints (docs/contract.md, section 35.10). */
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { isUuid } from "../../../base/random.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { ASSERTION_SHOWN_MAX_CHARACTERS, ISSUER_KEYS_RETRY_MS } from "../../../limits/federation-limits.ts";
import { PROGRAM_TOKEN_SECONDS } from "../../../limits/machine-limits.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import type { KeyView } from "../../../models/service-account/api-key.ts";
import { looksLikeKey } from "../../../models/service-account/key-format.ts";
import {
  insertFederationUse,
  listTrustsInUse,
  type TrustOfAccount,
  trustView,
} from "../../../models/service-account/trust.ts";
import { admitsAnonymousRecord } from "../../steps/audit/anonymous-record.ts";
import { identifyKey, UNCOUNTED } from "../../steps/authorization/identify-key.ts";
import { isPermittedAddress } from "../../steps/authorization/key-address.ts";
import { type ClientCredentials, readBasic } from "../request/authenticate-client.ts";
import { readScopes } from "../request/requested.ts";
import {
  type RefusedAssertion,
  type VerifiedAssertion,
  type VerifyAssertionDeps,
  verifyAssertion,
} from "./verify-assertion.ts";

export type AuthenticateProgramDeps = VerifyAssertionDeps &
  Pick<Deps, "apiKeyIds" | "database" | "oauthClients" | "random" | "revocations" | "state" | "telemetry">;

/** A service account that presented a live credential. */
export interface AuthenticatedProgram {
  readonly credential: KeyView;
  /** The longest lifetime of an access token. */
  readonly tokenSeconds: number;
  /** The accepted assertion of an external issuer; undefined: an API key. */
  readonly assertion?: Pick<VerifiedAssertion, "subject" | "use">;
}

export type ProgramProblem = OAuthRefusal<"invalid_client" | "temporarily_unavailable">;

interface PresentedKey {
  readonly accountId: string;
  readonly key: string;
}

/** Constant for every wrong credential. */
const NOT_AUTHENTICATED = oauthRefusal("invalid_client", "Client authentication failed.");

function notAuthenticated(cause: string): OAuthRefusal<"invalid_client"> {
  return { ...NOT_AUTHENTICATED, cause };
}

/**
 * The service account that a request authenticates; undefined: the credentials are not those of a service account. An
 * account authenticates with one of the account's API keys as the secret of the client, or with an assertion of an
 * external issuer that the account trusts. The use of the assertion is recorded later, by `consumeAssertion`.
 */
export async function authenticateProgram(
  deps: AuthenticateProgramDeps,
  presented: ClientCredentials,
): Promise<Result<AuthenticatedProgram, ProgramProblem> | undefined> {
  const key = readKey(presented);
  if (key) return await verifyKey(deps, key, presented);
  const assertion = await readAssertion(deps, presented);
  return assertion && (await verifyFederated(deps, assertion, presented));
}

/** A secret in the form of an API key. Two methods of authentication are refused as of every client. */
function readKey({ authorization, parameters }: ClientCredentials): PresentedKey | undefined {
  const [clientId, secret] = [parameters.one("client_id"), parameters.one("client_secret")];
  if (parameters.one("client_assertion") !== undefined) return undefined;
  if (authorization === null) return secret && clientId ? asKey(clientId, secret) : undefined;
  const basic = secret === undefined ? readBasic(authorization, clientId) : undefined;
  return basic?.ok ? asKey(basic.value.clientId, basic.value.secret) : undefined;
}

function asKey(accountId: string, key: string): PresentedKey | undefined {
  return isUuid(accountId) && looksLikeKey(key) ? { accountId, key } : undefined;
}

/** A key for pages of a site is no secret of a program, so that such a key gives no token. */
async function verifyKey(
  deps: AuthenticateProgramDeps,
  { accountId, key }: PresentedKey,
  { requestContext }: ClientCredentials,
): Promise<Result<AuthenticatedProgram, ProgramProblem>> {
  const found = await identifyKey(deps, key, UNCOUNTED);
  if (!found.ok) return err(notAuthenticated("unknown key"));
  const credential = found.value;
  if (credential.serviceAccountId !== accountId.toLowerCase()) return err(notAuthenticated("key of another account"));
  if (credential.allowedReferrers.length > 0) return err(notAuthenticated("key with allowed referrers"));
  if (!isPermittedAddress(credential, requestContext.ipAddress)) return err(notAuthenticated("address"));
  return ok({ credential, tokenSeconds: PROGRAM_TOKEN_SECONDS });
}

const ASSERTION_TYPES: ReadonlySet<unknown> = new Set([
  "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  "urn:ietf:params:oauth:client-assertion-type:jwt-spiffe",
]);

interface AssertionOfAccount {
  readonly accountId: string;
  readonly assertion: string;
  readonly trusts: readonly TrustOfAccount[];
}

/**
 * An assertion beside the id of an account with trusts. The id of an application leads to the keys of the application.
 */
async function readAssertion(
  { database, oauthClients }: AuthenticateProgramDeps,
  { authorization, parameters }: ClientCredentials,
): Promise<AssertionOfAccount | undefined> {
  const [named, assertion] = [parameters.one("client_id"), parameters.one("client_assertion")];
  if (!named || !assertion || !isUuid(named)) return undefined;
  if (authorization !== null || parameters.one("client_secret") !== undefined) return undefined;
  if (!ASSERTION_TYPES.has(parameters.one("client_assertion_type"))) return undefined;
  const accountId = named.toLowerCase();
  if (oauthClients.find(accountId)) return undefined;
  const trusts = await database.run("service_account_trust.list_in_use", (sql) => listTrustsInUse(sql, accountId));
  return trusts.length > 0 ? { accountId, assertion, trusts } : undefined;
}

const KEYS_UNAVAILABLE: OAuthRefusal<"temporarily_unavailable"> = {
  ...oauthRefusal(
    "temporarily_unavailable",
    "The keys of the issuer cannot be read at the moment.",
    "trust:keys_unavailable",
  ),
  isUnavailable: true,
  retryAfterSeconds: ISSUER_KEYS_RETRY_MS / 1000,
};

async function verifyFederated(
  deps: AuthenticateProgramDeps,
  { accountId, assertion, trusts }: AssertionOfAccount,
  { parameters, requestContext }: ClientCredentials,
): Promise<Result<AuthenticatedProgram, ProgramProblem>> {
  const requested = readScopes(parameters);
  const scopes = requested.ok ? requested.value : undefined;
  const presented = { assertion, trusts, scopes, address: requestContext.ipAddress };
  const verified = await verifyAssertion(deps, presented);
  if (verified.ok) {
    const { trust, subject, use } = verified.value;
    return ok({ credential: trustView(trust), tokenSeconds: trust.tokenSeconds, assertion: { subject, use } });
  }
  const refused = { accountId, organizationId: trusts[0]?.organizationId ?? null, ...verified.error };
  await recordRefusal(deps, refused, requestContext);
  deps.telemetry.metrics.federationExchange(verified.error.reason === "keys_unavailable" ? "unavailable" : "refused");
  if (verified.error.reason === "keys_unavailable") return err(KEYS_UNAVAILABLE);
  return err(notAuthenticated(`trust:${verified.error.reason}`));
}

interface RecordedRefusal extends RefusedAssertion {
  readonly accountId: string;
  readonly organizationId: string | null;
}

/** Anyone can present an assertion to an account, so that the records have a bound. */
async function recordRefusal(
  deps: AuthenticateProgramDeps,
  { accountId, organizationId, reason, trustId, subject }: RecordedRefusal,
  client: RequestContext,
): Promise<void> {
  const action = "service_account.token_refused";
  if (!(await admitsAnonymousRecord(deps, { action, subject: accountId, requestContext: client }))) return;
  const entry = {
    eventId: deps.random.uuid(),
    at: new Date(deps.clock.now()),
    action,
    outcome: "failure",
    organizationId,
    actorId: accountId,
    actorType: "service_account",
    resourceType: "service_account",
    resourceId: accountId,
    metadata: {
      reason,
      ...(trustId === undefined ? {} : { credential: `trust:${trustId}` }),
      ...(subject === undefined ? {} : { subject: shownSubject(subject) }),
    },
    client,
  } as const;
  await deps.database.run("service_account.record_refusal", (sql) => recordAudit(sql, entry));
}

/** The subject as text that PostgreSQL accepts, within the bound of a record. */
export function shownSubject(subject: string): string {
  return subject
    .slice(0, ASSERTION_SHOWN_MAX_CHARACTERS)
    .toWellFormed()
    .replace(/\p{Cc}/gu, " ");
}

/** Records the use of the assertion of a program. False for an assertion that was used before. */
export async function consumeAssertion(
  { database }: Pick<Deps, "database">,
  { assertion }: AuthenticatedProgram,
): Promise<boolean> {
  const use = assertion?.use;
  if (!use) return true;
  const rows = await database.run("service_account.consume_assertion", (sql) => insertFederationUse(sql, use));
  return rows.length > 0;
}

/** Records the refusal of an assertion that was used before. */
export async function refuseReplayed(
  deps: AuthenticateProgramDeps,
  { credential, assertion }: AuthenticatedProgram,
  client: RequestContext,
): Promise<OAuthRefusal<"invalid_client">> {
  const { id: trustId, serviceAccountId: accountId, organizationId } = credential;
  const subject = assertion?.subject ?? "";
  await recordRefusal(deps, { accountId, organizationId, reason: "replayed", trustId, subject }, client);
  deps.telemetry.metrics.federationExchange("refused");
  return notAuthenticated("trust:replayed");
}

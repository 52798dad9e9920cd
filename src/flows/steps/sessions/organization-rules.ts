/** The rules by which an organization refuses a session (docs/contract.md, sections 29.46 and 33.3). */
import { isInNetworks } from "../../../base/ip-ranges.ts";
import { type ProblemReason, type Refusal, refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import type { SessionAssurance } from "../../../models/conditions/organization-access.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { refusesClient } from "../../../models/organization-policy/organization-policy.ts";
import type { SessionView } from "../../../models/session/session.ts";
import type { AccessRule } from "../../../vocabulary/policy-settings.ts";

/** The problem of a covered member without single sign-on. The response to the client gets `continue_at`. */
export function ssoRequired(organizationId: string): Refusal<"sso_required"> {
  return {
    ...refusal("sso_required", "This organization requires single sign-on."),
    ssoOrganizationId: organizationId,
  };
}

export const WRONG_ADDRESS = ruleRefusal("policy_network", "This organization does not permit your network address.");
const WRONG_METHOD = ruleRefusal("policy_method", "This organization does not permit this sign-in method.");
const TOO_OLD = ruleRefusal("policy_session", "This organization requires a newer sign-in.");
const FACTOR_REQUIRED = refusal("mfa_required", "This organization requires a second factor.");

function ruleRefusal(reason: ProblemReason, message: string): Refusal<"forbidden"> {
  return { ...refusal("forbidden", message), reason };
}

/** The problem of a session that a rule of the organization refuses. */
export function refusalOf(
  rule: AccessRule,
  organizationId: string,
): Refusal<"forbidden" | "mfa_required" | "sso_required"> {
  switch (rule) {
    case "sso_required":
      return ssoRequired(organizationId);
    case "factor":
      return FACTOR_REQUIRED;
    default:
      return entryRefusalOf(rule, organizationId);
  }
}

/** As `refusalOf`, for a sign-in: without the factor, the session begins and may enrol. */
export function entryRefusalOf(
  rule: Exclude<AccessRule, "factor">,
  organizationId: string,
): Refusal<"forbidden" | "sso_required"> {
  switch (rule) {
    case "sso_required":
      return ssoRequired(organizationId);
    case "address":
      return WRONG_ADDRESS;
    case "method":
      return WRONG_METHOD;
    default:
      return TOO_OLD;
  }
}

/** The assurance of a session for an organization, which may differ from the organization of the session. */
export function assuranceIn(session: SessionView, organizationId: string): SessionAssurance {
  return {
    method: session.authMethod,
    provider: session.identityProvider,
    aal: session.aal,
    phishingResistant: session.phishingResistant,
    authTime: new Date(session.authTime),
    isBound: session.organizationBound && session.organizationId === organizationId,
    address: session.address?.() ?? null,
  };
}

/** What an endpoint serves beyond complete sessions: `exit` ends or leaves the session, `enrolment` adds the factor. */
export type ServedSession = "enrolment" | "exit";

/**
 * Admits a session by the policy of the session's own organization: by the address of the request, and by the factor.
 * Reads memory alone. A request that leaves the organization is served from every address.
 */
export function admitSession(
  { policy, enrolmentOnly, address }: SessionView,
  served: ServedSession | undefined,
): Result<void, Refusal<"forbidden" | "mfa_required">> {
  if (policy === null || served === "exit") return ok(undefined);
  const { allowedIps } = policy;
  if (allowedIps.length > 0 && !isInNetworks(allowedIps, address?.() ?? null)) return err(WRONG_ADDRESS);
  return enrolmentOnly && served !== "enrolment" ? err(FACTOR_REQUIRED) : ok(undefined);
}

/**
 * Admits the session that began a request at an identity provider, when the response arrives. The browser presents no
 * session then, so the guards of endpoints have not compared the address of the request.
 */
export function admitResponse(
  session: SessionView,
  { ipAddress }: Pick<RequestContext, "ipAddress">,
  served: ServedSession | undefined,
): Result<void, Refusal<"forbidden">> {
  const admitted = admitSession({ ...session, address: () => ipAddress }, served);
  return admitted.ok ? admitted : err({ ...admitted.error, code: "forbidden" });
}

/** Whether the policy of a session permits an application. First-party applications belong to the deployment. */
export async function permitsClient(
  { clock, database }: Pick<Deps, "clock" | "database">,
  { policy, organizationId }: SessionView,
  { id, firstParty }: OAuthClient,
): Promise<boolean> {
  if (policy === null || firstParty || policy.thirdPartyClients === "any") return true;
  const at = new Date(clock.now());
  return await database.run(
    "organization_policy.permits_client",
    async (sql) => !(await refusesClient(sql, { organizationId, clientId: id }, at)),
  );
}

/** The claims that a token would contain now, without a token (docs/contract.md, section 23.34). */

import { unixSeconds } from "../../../base/clock.ts";
import { invalidFields, invalidInput } from "../../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import { isUuid } from "../../../base/random.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import { compiledMappings } from "../../../models/claim-mapping/compile-mappings.ts";
import { findLastOrganization } from "../../../models/claim-mapping/source-values.ts";
import { clientIdOf, type OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { subjectOf } from "../../../models/oauth-grant/subject.ts";
import type { OAuthResource } from "../../../models/oauth-resource/oauth-resource.ts";
import { fitValues, type MappedClaim, mergeClaims } from "../../../models/token/mapped-size.ts";
import type { ApplicationMapping, ClaimMapping, ClaimOutcome } from "../../../vocabulary/claim-mapping.ts";
import { type SourceControl, sourceOf } from "../../../vocabulary/claim-sources.ts";
import { isPersonalOrganization } from "../../../vocabulary/personal-organization.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../../steps/authorization/authorize-platform-role.ts";
import { type ClaimSubject, type MappedClaims, readMappedClaims } from "../claims/read-mapped-claims.ts";
import { type GrantedAccess, selectForApi, selectForApplication } from "../claims/select-mappings.ts";
import { fitAccess, fitId, type RecordedClaims } from "../claims/token-claims.ts";
import { readClient } from "../clients/administer-clients.ts";
import { addressPermits, validateClient } from "../clients/client-rules.ts";
import { accessTokenSeconds } from "../request/lifetimes.ts";
import { readScopeClaims } from "../request/scope-claims.ts";
import { readResource } from "../resources/administer-resources.ts";
import { validateResource } from "../resources/resource-rules.ts";

export type PreviewDeps = Pick<
  Deps,
  "claimSources" | "clock" | "codeKey" | "config" | "database" | "keyRing" | "oauthResources" | "random" | "userClaims"
>;

interface PreviewInput<Mapping> {
  readonly caller: PlatformCaller;
  readonly client: RequestContext;
  /** The application or API. */
  readonly id: string;
  readonly userId: string;
  /** Default: the user's last organization. */
  readonly organizationId?: string | undefined;
  /** Default: every scope. */
  readonly scopes?: readonly string[] | undefined;
  /** Unsaved settings; default: the stored settings. */
  readonly claimMappings?: readonly Mapping[] | undefined;
  readonly organizations?: readonly string[] | null | undefined;
}

/** One mapping in one destination. */
export interface PreviewedClaim {
  readonly claim: string;
  readonly outcome: ClaimOutcome;
  readonly destination: Destination;
  readonly scope: string | null;
  readonly sources: readonly string[];
  readonly control: readonly SourceControl[];
  /** The JSON text of the value before a cut; 0 without a value. */
  readonly bytes: number;
  /** Why an expression failed; null for the other outcomes. */
  readonly detail: string | null;
}

type Destination = "access_token" | "id_token" | "introspection" | "userinfo";
type Claims = Readonly<Record<string, unknown>>;

export interface Preview {
  readonly sets: Partial<Readonly<Record<Destination, Claims>>>;
  readonly claims: readonly PreviewedClaim[];
}

type Previewed = Result<Preview, Refusal<"invalid_input" | "not_found">>;

const NO_MEMBER = refusal("not_found", "There is no such member of the organization.");

/** POST /v1/admin/oauth-clients/:id/claims/preview. Nothing is issued or consumed; the audit trail has a record. */
export async function previewApplicationClaims(
  deps: PreviewDeps,
  input: PreviewInput<ApplicationMapping>,
): Promise<Previewed> {
  const found = await readClient(deps, input.caller, input.id);
  if (!found.ok) return found;
  const { claimMappings = found.value.claimMappings, organizations = found.value.organizations } = input;
  const valid = validateClient({ ...found.value, claimMappings, organizations }, addressPermits(deps));
  if (!valid.ok) return err(invalidFields(valid.error));
  const client: OAuthClient = valid.value;
  const context = await contextOf(deps, input, client.scopes, {
    clientId: clientIdOf(client),
    resources: client.resources,
  });
  if (!context.ok) return context;
  const { subject, granted } = context.value;
  const own = await readScopeClaims(deps, subject, granted.scopes);
  if (!own) return err(NO_MEMBER);
  const sub = subjectOf(deps.codeKey, client, subject.userId);
  const [id, info] = [
    selectForApplication(client, "id_token", granted),
    selectForApplication(client, "userinfo", granted),
  ];
  const [mappedId, mappedInfo] = [
    await readMappedClaims(deps, subject, id),
    await readMappedClaims(deps, subject, info),
  ];
  const ofScopes = client.idTokenClaims === "none" ? {} : own;
  const idToken = fitId(
    deps,
    client.idTokenSignedResponseAlg,
    { ...ofScopes, ...protocolClaims(deps, sub, client) },
    mappedId,
  );
  const fitted = fitValues(mappedInfo.claims);
  await recordPreview(deps, input, subject);
  return ok({
    sets: { id_token: { ...idToken.claims }, userinfo: mergeClaims({ ...own, sub }, fitted.claims) },
    claims: [
      ...describe(claimMappings, mappedId, "id_token", truncatedIn(idToken)),
      ...describe(claimMappings, mappedInfo, "userinfo", fitted.truncated),
    ],
  });
}

/** POST /v1/admin/resources/:id/claims/preview: as `previewApplicationClaims`, for a token of this API alone. */
export async function previewApiClaims(deps: PreviewDeps, input: PreviewInput<ClaimMapping>): Promise<Previewed> {
  const found = await readResource(deps, input.caller, input.id);
  if (!found.ok) return found;
  const { claimMappings = found.value.claimMappings, organizations = found.value.organizations } = input;
  const valid = validateResource({ ...found.value, claimMappings, organizations });
  if (!valid.ok) return valid;
  const api: OAuthResource = valid.value;
  const own = api.scopes.map(({ name }) => name);
  // A token for an API may have the scope `email` as well, by which names may come from the address.
  const permitted = { ...input, scopes: input.scopes ?? own };
  const context = await contextOf(deps, permitted, [...own, "email"], { clientId: "", resources: [api.identifier] });
  if (!context.ok) return context;
  const { subject, granted } = context.value;
  const mapped = await readMappedClaims(deps, subject, selectForApi(api, granted));
  const at = unixSeconds(deps.clock.now());
  const base = {
    iss: deps.config.urls.publicBaseUrl,
    typ: "oauth_access",
    sub: subject.userId,
    aud: api.identifier,
    scope: granted.scopes.join(" "),
    ...(isPersonalOrganization(subject) ? {} : { org: subject.organizationId }),
    iat: at,
    exp: at + accessTokenSeconds(deps, [api.identifier]),
  };
  const access = fitAccess(deps, api.signingAlg, base, mapped);
  const fitted = fitValues(mapped.claims);
  await recordPreview(deps, input, subject);
  return ok({
    sets: { access_token: { ...access.claims }, introspection: mergeClaims({ active: true, ...base }, fitted.claims) },
    claims: [
      ...describe(claimMappings, mapped, "access_token", truncatedIn(access)),
      ...describe(claimMappings, mapped, "introspection", fitted.truncated),
    ],
  });
}

interface PreviewContext {
  readonly subject: ClaimSubject;
  readonly granted: GrantedAccess;
}

/** The member and the scopes. The sign-in is one with a password now, as no session belongs to a preview. */
async function contextOf(
  deps: PreviewDeps,
  input: PreviewInput<unknown>,
  available: readonly string[],
  token: Pick<ClaimSubject, "clientId" | "resources">,
): Promise<Result<PreviewContext, Refusal<"invalid_input" | "not_found">>> {
  const { scopes = available, userId } = input;
  const unknown = scopes.find((scope) => !available.includes(scope));
  if (unknown !== undefined) return err(invalidInput("scopes", "unknown_value", "a scope that is not there"));
  const organizationId = input.organizationId ?? (await lastOrganizationOf(deps, userId));
  if (organizationId === undefined || !isUuid(userId) || !isUuid(organizationId)) return err(NO_MEMBER);
  const owner = { userId, organizationId, familyId: null };
  if (!(await deps.claimSources.find(owner, new Set()))) return err(NO_MEMBER);
  const session = { acr: "aal1", amr: ["pwd"], authTime: deps.clock.now(), method: "password" };
  return ok({
    subject: { ...owner, ...token, session },
    granted: { scopes, data: null, organizationId },
  });
}

async function lastOrganizationOf({ database }: PreviewDeps, userId: string): Promise<string | undefined> {
  if (!isUuid(userId)) return undefined;
  return await database.run("claim_source.find_organization", (sql) => findLastOrganization(sql, userId));
}

function protocolClaims(deps: PreviewDeps, sub: string, client: OAuthClient) {
  const at = unixSeconds(deps.clock.now());
  return {
    iss: deps.config.urls.publicBaseUrl,
    sub,
    aud: clientIdOf(client),
    iat: at,
    exp: at + accessTokenSeconds(deps, []),
    auth_time: at,
    acr: "aal1",
    amr: ["pwd"],
  };
}

function truncatedIn({ records }: RecordedClaims<unknown>): readonly string[] {
  return records.flatMap(({ claim, outcome }) => (outcome === "truncated" ? [claim] : []));
}

function describe(
  mappings: readonly ClaimMapping[],
  { claims, records, failures }: MappedClaims,
  destination: Destination,
  truncated: readonly string[],
): readonly PreviewedClaim[] {
  const compiled = compiledMappings(mappings);
  return records.flatMap(({ claim, outcome }) => {
    const each = compiled.find(({ mapping }) => mapping.claim === claim);
    if (!each) return [];
    const { mapping, sources } = each;
    return {
      claim,
      outcome: truncated.includes(claim) ? ("truncated" as const) : outcome,
      destination,
      scope: mapping.scope,
      sources,
      control: [...new Set(sources.map((name) => sourceOf(name).control))],
      bytes: bytesOf(claims.find((value) => value.claim === claim)),
      detail: failures.get(claim) ?? null,
    };
  });
}

function bytesOf(mapped: MappedClaim | undefined): number {
  return mapped ? Buffer.byteLength(JSON.stringify(mapped.value)) : 0;
}

async function recordPreview(
  deps: PreviewDeps,
  { caller, client, id }: PreviewInput<unknown>,
  { userId }: ClaimSubject,
): Promise<void> {
  const event = userAuditEvent(deps, caller.actor, client, {
    action: "claims.previewed",
    at: new Date(deps.clock.now()),
    resource: { type: "user", id: userId },
    metadata: { target: id },
  });
  await deps.database.run("claims.record_preview", (sql) => recordAudit(sql, event));
}

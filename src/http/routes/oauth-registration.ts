import { busy } from "../../base/oauth-problem.ts";
import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { StoreDeps } from "../../deps.ts";
import { createToken, listTokens, removeToken } from "../../flows/oauth/registration/administer-tokens.ts";
import {
  changeRegistration,
  deleteRegistration,
  readRegistration,
} from "../../flows/oauth/registration/manage-registration.ts";
import {
  type Registration,
  type RegistrationDeps,
  type RegistrationProblem,
  registerDynamicClient,
} from "../../flows/oauth/registration/register.ts";
import { authorizePlatform } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSteppedUpPlatform } from "../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import { OAUTH_CLIENT_END_IDLE_SECONDS, REGISTRATION_TOKEN_DAYS_DEFAULT } from "../../limits/oauth-limits.ts";
import type { RegistrationToken } from "../../models/oauth-client/registration-token.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { oauthRefusalReply } from "../oauth-reply.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import { OAuthError } from "../schemas/oauth-provider.ts";
import {
  ClientInformation,
  ClientMetadata,
  CreateRegistrationToken,
  RegistrationTokenItem,
  RegistrationTokenWithText,
} from "../schemas/oauth-registration.ts";

const tag = "OpenID provider";
const PATH = "/oauth2/register";
const common = {
  prefixed: false,
  tag,
  auth: "none",
  limits: { address: "oauth" },
  refusals: "oauth",
  crossOrigin: "any",
} as const;
const error = (description: string) => ({ description, schema: OAuthError });
const failures = {
  400: error("`invalid_client_metadata` or `invalid_redirect_uri`"),
  401: { description: "`invalid_token`", schema: OAuthError, headers: ["WWW-Authenticate"] },
  404: error("Registration is off"),
  429: { description: "`temporarily_unavailable`", schema: OAuthError, headers: ["Retry-After"] },
} as const;

type RouteDeps = RegistrationDeps & StoreDeps;

/** docs/contract.md, section 23.17. */
export function oauthRegistrationRoutes(deps: RouteDeps): Endpoint[] {
  return [...registerRoutes(deps), ...managementRoutes(deps), ...tokenRoutes(deps)];
}

function registerRoutes(deps: RouteDeps): Endpoint[] {
  return [
    endpoint({
      ...common,
      method: "POST",
      path: PATH,
      operationId: "registerOAuthClient",
      docs: { clientMethod: null, section: "23.17", access: "none, or initial access token" },
      summary: "Register an application by itself",
      description:
        "RFC 7591, while `SERVICE_OAUTH_REGISTRATION` is `open`, or is `token` and the request has an initial access " +
        "token.",
      input: { body: ClientMetadata },
      responses: { 201: { description: "The client", schema: ClientInformation }, ...failures },
      problems: [],
      async handle({ request, body, client, admitBy }) {
        if (isOff(deps)) return ok(offReply());
        const admitted = await admitBy("oauth_registration");
        if (!admitted.ok) return ok(oauthRefusalReply(busy(admitted.error)));
        const input = { metadata: body, token: bearerOf(request), requestContext: client };
        const registered = await registerDynamicClient(deps, input);
        return ok(registered.ok ? reply(201, informationBody(deps, registered.value)) : problemReply(registered.error));
      },
    }),
  ];
}

function managementRoutes(deps: RouteDeps): Endpoint[] {
  const managed = { ...common, path: `${PATH}/:client_id` } as const;
  const found = { 200: { description: "The client", schema: ClientInformation }, ...failures } as const;
  const accessOf = (request: Request, clientId: string) => ({ clientId, token: bearerOf(request) });
  return [
    endpoint({
      ...managed,
      method: "GET",
      operationId: "readOAuthRegistration",
      docs: { clientMethod: null, section: "23.17", access: "registration access token" },
      summary: "Read the registration of an application",
      description: "RFC 7592, section 2.1, with the `registration_access_token`.",
      responses: found,
      problems: [],
      async handle({ request, params }) {
        if (isOff(deps)) return ok(offReply());
        const read = await readRegistration(deps, accessOf(request, params.client_id));
        return ok(read.ok ? reply(200, informationBody(deps, read.value)) : problemReply(read.error));
      },
    }),
    endpoint({
      ...managed,
      method: "PUT",
      operationId: "changeOAuthRegistration",
      docs: { clientMethod: null, section: "23.17", access: "registration access token" },
      summary: "Replace the metadata of an application",
      description: "RFC 7592, section 2.2: absent members have their defaults. The body contains `client_id`.",
      input: { body: ClientMetadata },
      responses: found,
      problems: [],
      async handle({ request, params, body, client, admitBy }) {
        if (isOff(deps)) return ok(offReply());
        const admitted = await admitBy("oauth_registration");
        if (!admitted.ok) return ok(oauthRefusalReply(busy(admitted.error)));
        const access = accessOf(request, params.client_id);
        const changed = await changeRegistration(deps, { access, metadata: body, requestContext: client });
        return ok(changed.ok ? reply(200, informationBody(deps, changed.value)) : problemReply(changed.error));
      },
    }),
    endpoint({
      ...managed,
      method: "DELETE",
      operationId: "deleteOAuthRegistration",
      docs: { clientMethod: null, section: "23.17", access: "registration access token" },
      summary: "Delete an application with every token",
      description: "RFC 7592, section 2.3.",
      responses: { 204: { description: "Deleted" }, ...failures },
      problems: [],
      async handle({ request, params, client, admitBy, waitAtMost }) {
        if (isOff(deps)) return ok(offReply());
        const admitted = await admitBy("oauth_registration");
        if (!admitted.ok) return ok(oauthRefusalReply(busy(admitted.error)));
        waitAtMost(OAUTH_CLIENT_END_IDLE_SECONDS);
        const access = accessOf(request, params.client_id);
        const deleted = await deleteRegistration(deps, { access, requestContext: client });
        return ok(deleted.ok ? emptyReply(204) : problemReply(deleted.error));
      },
    }),
  ];
}

function tokenRoutes(deps: RouteDeps): Endpoint[] {
  const administered = { tag, auth: "administrative" } as const;
  return [
    endpoint({
      ...administered,
      method: "GET",
      path: "/admin/registration-tokens",
      operationId: "listRegistrationTokens",
      permission: "oauth_clients.read",
      docs: { clientMethod: "registrationTokens.list", section: "23.17" },
      summary: "List the initial access tokens for registrations",
      input: { query: PageQuery },
      responses: { 200: { description: "Newest first", schema: listOf(RegistrationTokenItem) } },
      problems: ["forbidden", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, query }) {
        const page = clampPage(query.page, query.page_size);
        return ok(listReply(await listTokens(deps, { caller, page }), tokenBody));
      },
    }),
    endpoint({
      ...administered,
      method: "POST",
      path: "/admin/registration-tokens",
      operationId: "createRegistrationToken",
      permission: "oauth_clients.write",
      docs: { clientMethod: "registrationTokens.create", section: "23.17" },
      stepUp: "adds_credential",
      summary: "Create an initial access token",
      description: "An application registers itself with the token (RFC 7591, section 3).",
      input: { body: CreateRegistrationToken },
      responses: { 201: { description: "The token, this once", schema: RegistrationTokenWithText } },
      problems: ["forbidden", "mfa_required", "conflict"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, body, client }) {
        const { name, max_uses: maxUses = 1, expires_in_days: lifetimeDays = REGISTRATION_TOKEN_DAYS_DEFAULT } = body;
        const created = await createToken(deps, { caller, client, name, maxUses, lifetimeDays });
        if (!created.ok) return created;
        return ok(reply(201, { ...tokenBody(created.value.token), token: created.value.text }));
      },
    }),
    endpoint({
      ...administered,
      method: "DELETE",
      path: "/admin/registration-tokens/:id",
      operationId: "deleteRegistrationToken",
      permission: "oauth_clients.write",
      docs: { clientMethod: "registrationTokens.delete", section: "23.17" },
      summary: "Delete an initial access token",
      description: "Applications that registered with the token stay.",
      responses: { 204: { description: "Deleted" } },
      problems: ["forbidden", "mfa_required", "not_found"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, params, client }) {
        const removed = await removeToken(deps, { caller, client, id: params.id });
        return removed.ok ? ok(emptyReply(204)) : removed;
      },
    }),
  ];
}

function isOff({ config }: Pick<RouteDeps, "config">): boolean {
  return config.oauth.registration === "off";
}

function offReply() {
  return reply(404, { error: "invalid_request", error_description: "Registration is off." });
}

function bearerOf(request: Request): string | undefined {
  return /^bearer +([A-Za-z0-9_-]{1,128})$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

function problemReply(problem: RegistrationProblem) {
  const challenge = `Bearer error="${problem.oauth}", error_description="${problem.description}"`;
  return oauthRefusalReply(problem, problem.oauth === "invalid_token" ? { "www-authenticate": challenge } : {});
}

/** RFC 7591, section 3.2.1. */
function informationBody(
  { config }: Pick<RouteDeps, "config">,
  { client, leftOut = [], secret, registrationToken }: Registration,
) {
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    registration_access_token: registrationToken,
    registration_client_uri: `${config.urls.publicBaseUrl}${PATH}/${client.id}`,
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: client.grantTypes,
    response_types: client.grantTypes.includes("authorization_code") ? ["code"] : [],
    token_endpoint_auth_method: client.tokenAuthMethod,
    application_type: client.applicationType,
    scope: client.scopes.join(" "),
    subject_type: client.subjectType,
    ...(client.keys.length > 0 ? { jwks: { keys: client.keys } } : {}),
    ...present({ jwks_uri: client.jwksUri, logo_uri: client.logoUrl }),
    ...present({ policy_uri: client.policyUri, tos_uri: client.tosUri, client_uri: client.clientUri }),
    ...present({ backchannel_logout_uri: client.backchannelLogoutUri }),
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    id_token_signed_response_alg: client.idTokenSignedResponseAlg,
    require_pushed_authorization_requests: client.requirePushedRequests,
    require_signed_request_object: client.requireSignedRequestObject,
    dpop_bound_access_tokens: client.dpopBoundAccessTokens,
    ...(leftOut.length > 0 ? { left_out: leftOut } : {}),
  };
}

/** Absent members are omitted (RFC 7591, section 2). */
function present(members: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== null));
}

function tokenBody({ id, name, maxUses, uses, createdAt, expiresAt }: RegistrationToken) {
  const times = { created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() };
  return { id, name, max_uses: maxUses, uses, ...times };
}

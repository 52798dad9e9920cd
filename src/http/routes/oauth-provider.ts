import { oauthRefusal } from "../../base/oauth-problem.ts";
import { err, ok } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { describeAuthorizationServer } from "../../flows/discovery/describe-issuer.ts";
import { type PushRequestDeps, pushRequest } from "../../flows/oauth/authorize/push-request.ts";
import {
  type IntrospectDeps,
  introspectToken,
  type Introspection as TokenState,
} from "../../flows/oauth/introspect/introspect.ts";
import { readUserInfo } from "../../flows/oauth/introspect/userinfo.ts";
import type { IssuedTokens } from "../../flows/oauth/token/issue-tokens.ts";
import { type RevokeTokenDeps, revokeToken } from "../../flows/oauth/token/revoke-token.ts";
import { issueTokensByGrant } from "../../flows/oauth/token/token.ts";
import type { TokenDeps } from "../../flows/oauth/token/token-request.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import type { CallBase } from "../endpoint-spec.ts";
import { nonceHeaders, readProofHeader } from "../oauth/dpop.ts";
import { readPresented } from "../oauth/presented-client.ts";
import { bearerMissingReply, clientRefusalReply, tokenRefusalReply } from "../oauth-reply.ts";
import { reply, sharedBody } from "../reply.ts";
import {
  AuthorizationServer,
  Introspection,
  OAuthError,
  PushedReference,
  PushedRequestForm,
  TokenActionForm,
  TokenForm,
  TokenResponse,
  UserInfo,
  UserInfoForm,
} from "../schemas/oauth-provider.ts";

export type OAuthProviderDeps = TokenDeps & IntrospectDeps & RevokeTokenDeps & PushRequestDeps;

const tag = "OpenID provider";
const common = {
  prefixed: false,
  tag,
  auth: "none",
  limits: { address: "oauth" },
  refusals: "oauth",
} as const;
const error = (description: string) => ({ description, schema: OAuthError });
const unauthenticated = {
  description: "`invalid_client`",
  schema: OAuthError,
  headers: ["WWW-Authenticate"],
} as const;
const busy = { description: "`temporarily_unavailable`", schema: OAuthError, headers: ["Retry-After"] } as const;
const NO_PRAGMA = { pragma: "no-cache" };

/** An unchanged token has an identical state, which is serialised once. */
const introspectionBody = sharedBody((state: TokenState) => state);

/** docs/contract.md, chapter 23: the endpoints for applications. Endpoints for users are pages. */
export function oauthProviderRoutes(deps: OAuthProviderDeps): Endpoint[] {
  return [
    ...pushRoutes(deps),
    ...tokenRoutes(deps),
    ...tokenStateRoutes(deps),
    ...userInfoRoutes(deps),
    ...metadataRoutes(deps),
  ];
}

function pushRoutes(deps: OAuthProviderDeps): Endpoint[] {
  return [
    endpoint({
      ...common,
      method: "POST",
      path: "/oauth2/par",
      crossOrigin: "any",
      operationId: "pushAuthorizationRequest",
      docs: { clientMethod: null, section: "23.13", access: "client" },
      summary: "Push the parameters of an authorization request",
      description:
        "RFC 9126. The client authenticates as at the token endpoint and sends the parameters of GET " +
        "/oauth2/authorize. The response has a reference for one use, to which the browser is sent with `client_id`.",
      input: { body: PushedRequestForm, bodyType: "form" },
      responses: {
        201: { description: "The reference", schema: PushedReference },
        400: error("An error of RFC 6749, section 4.1.2.1, `invalid_redirect_uri` or `invalid_target`"),
        401: unauthenticated,
        413: error("The body exceeds 64 KiB"),
        429: busy,
      },
      problems: [],
      async handle({ request, parameters, client, admitBy }) {
        const presented = readPresented(request, parameters, client);
        if (!presented.ok) return ok(clientRefusalReply(request, presented.error, nonceHeaders(deps, request)));
        const proven = { ...presented.value, ...readProofHeader({ request, client }, "/oauth2/par") };
        const reference = await pushRequest(deps, proven, parameters, () => admitBy("oauth_waiting"));
        const nonce = nonceHeaders(deps, request);
        if (!reference.ok) return ok(clientRefusalReply(request, reference.error, nonce));
        const { requestUri, expiresInSeconds } = reference.value;
        const headers = { ...NO_PRAGMA, ...nonce };
        return ok(reply(201, { request_uri: requestUri, expires_in: expiresInSeconds }, { headers }));
      },
    }),
  ];
}

function tokenRoutes(deps: OAuthProviderDeps): Endpoint[] {
  return [
    endpoint({
      ...common,
      method: "POST",
      path: "/oauth2/token",
      crossOrigin: "any",
      operationId: "issueOAuthTokens",
      docs: { clientMethod: null, section: "23.5", access: "client" },
      summary: "Exchange a code or token, or get a token of the client's own",
      description:
        "RFC 6749, section 3.2. The client authenticates by the registered method: HTTP Basic, form fields, a signed " +
        "assertion, or `client_id` alone.",
      input: { body: TokenForm, bodyType: "form" },
      responses: {
        200: { description: "Tokens", schema: TokenResponse },
        400: error("An error of RFC 6749, section 5.2"),
        401: unauthenticated,
        429: busy,
        503: { ...busy, description: "`temporarily_unavailable`: the keys of an external issuer cannot be read" },
      },
      problems: [],
      async handle({ request, parameters, client }) {
        const presented = readPresented(request, parameters, client);
        if (!presented.ok) return ok(clientRefusalReply(request, presented.error, nonceHeaders(deps, request)));
        const proven = { ...presented.value, ...readProofHeader({ request, client }, "/oauth2/token") };
        const tokens = await issueTokensByGrant(deps, proven);
        const nonce = nonceHeaders(deps, request);
        if (!tokens.ok) return ok(clientRefusalReply(request, tokens.error, nonce));
        const { claims } = tokens.value;
        return ok(reply(200, tokensBody(tokens.value), { headers: { ...NO_PRAGMA, ...nonce }, claims }));
      },
    }),
  ];
}

function tokenStateRoutes(deps: OAuthProviderDeps): Endpoint[] {
  const form = {
    ...common,
    input: { body: TokenActionForm, bodyType: "form" },
  } as const;
  return [
    endpoint({
      ...form,
      method: "POST",
      path: "/oauth2/introspect",
      operationId: "introspectOAuthToken",
      docs: { clientMethod: null, section: "23.7", access: "client" },
      summary: "Tell whether a token is live",
      description:
        "RFC 7662, for clients that authenticate: tokens of the client, and tokens with the client as audience.",
      responses: {
        200: { description: "The state of the token", schema: Introspection },
        400: error("`invalid_request` or `unauthorized_client`"),
        401: unauthenticated,
        429: busy,
      },
      problems: [],
      async handle({ request, parameters, client }) {
        const presented = readPresented(request, parameters, client);
        if (!presented.ok) return ok(clientRefusalReply(request, presented.error));
        const introspected = await introspectToken(deps, presented.value);
        if (!introspected.ok) return ok(clientRefusalReply(request, introspected.error));
        const { state, records } = introspected.value;
        return ok(reply(200, introspectionBody(state), { claims: records }));
      },
    }),
    endpoint({
      ...form,
      method: "POST",
      path: "/oauth2/revoke",
      crossOrigin: "any",
      operationId: "revokeOAuthToken",
      docs: { clientMethod: null, section: "23.8", access: "client" },
      summary: "End a token of the client",
      description: "RFC 7009. All tokens of the authorization end.",
      responses: {
        200: { description: "Ended, or never live" },
        400: error("`invalid_request` or `unauthorized_client`"),
        401: unauthenticated,
        429: busy,
      },
      problems: [],
      async handle({ request, parameters, client }) {
        const presented = readPresented(request, parameters, client);
        if (!presented.ok) return ok(clientRefusalReply(request, presented.error));
        const revoked = await revokeToken(deps, { ...presented.value, requestContext: client });
        return ok(revoked.ok ? reply(200, undefined) : clientRefusalReply(request, revoked.error));
      },
    }),
  ];
}

function userInfoRoutes(deps: OAuthProviderDeps): Endpoint[] {
  const info = {
    ...common,
    path: "/oauth2/userinfo",
    crossOrigin: "any",
    responses: {
      200: { description: "Claims by scope", schema: UserInfo },
      400: { description: "`invalid_request`", schema: OAuthError, headers: ["WWW-Authenticate"] },
      401: { description: "`invalid_token`", schema: OAuthError, headers: ["WWW-Authenticate"] },
      403: { description: "`insufficient_scope`", schema: OAuthError, headers: ["WWW-Authenticate"] },
      429: busy,
    },
    problems: [],
  } as const;
  const description = "OpenID Connect Core, section 5.3. Tokens for a resource server are accepted too.";
  const response = async (call: Pick<CallBase, "request" | "parameters" | "client">) => {
    const { request, parameters } = call;
    const token = presentedToken(request, parameters);
    if (!token.ok) return ok(tokenRefusalReply(deps, token.error, "Bearer"));
    if (token.value === undefined) return ok(bearerMissingReply(deps));
    const proven = { ...token.value, ...readProofHeader(call, "/oauth2/userinfo") };
    const read = await readUserInfo(deps, proven);
    const headers = nonceHeaders(deps, request);
    if (read.ok) return ok(reply(200, read.value.user, { headers, claims: read.value.records }));
    return ok(tokenRefusalReply(deps, read.error, token.value.scheme, headers));
  };
  return [
    endpoint({
      ...info,
      method: "GET",
      operationId: "getUserInfo",
      docs: { clientMethod: null, section: "23.9", access: "access token of a client" },
      summary: "The user of an access token",
      description,
      handle: response,
    }),
    endpoint({
      ...info,
      method: "POST",
      operationId: "postUserInfo",
      docs: { clientMethod: null, section: "23.9", access: "access token of a client" },
      summary: "The user of an access token, by POST",
      description: `${description} The token may stand in the form (RFC 6750, section 2.2).`,
      input: { body: UserInfoForm, bodyType: "form", malformedBody: "empty" },
      handle: response,
    }),
  ];
}

function metadataRoutes(deps: Pick<Deps, "config">): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/.well-known/oauth-authorization-server",
      prefixed: false,
      crossOrigin: "any",
      operationId: "getAuthorizationServer",
      docs: { clientMethod: "discovery.authorizationServer", section: "18.2" },
      tag: "Discovery",
      summary: "Metadata of the authorization server",
      auth: "none",
      responses: { 200: { description: "RFC 8414", schema: AuthorizationServer, headers: ["Cache-Control"] } },
      problems: [],
      handle: () =>
        ok(reply(200, describeAuthorizationServer(deps), { headers: { "cache-control": "public, max-age=60" } })),
    }),
  ];
}

/** RFC 6750, section 2; RFC 9449, section 7.1: the token is in the header or in the form, never in two places. */
function presentedToken(request: Request, search: URLSearchParams) {
  const authorization = request.headers.get("authorization");
  const field = search.getAll("access_token");
  if (field.length > 1 || (authorization !== null && field.length > 0)) {
    return err(oauthRefusal("invalid_request", "Send the access token once."));
  }
  if (authorization === null) return ok(field[0] ? { scheme: "Bearer" as const, token: field[0] } : undefined);
  const [, scheme = "", token] = /^(bearer|dpop) +(\S+)$/i.exec(authorization) ?? [];
  if (token) return ok({ scheme: scheme.toLowerCase() === "dpop" ? ("DPoP" as const) : ("Bearer" as const), token });
  return err(oauthRefusal("invalid_request", "The Authorization header is malformed."));
}

function tokensBody(issued: IssuedTokens) {
  const { accessToken, tokenType, expiresInSeconds, scope, refreshToken, idToken, issuedTokenType } = issued;
  return {
    ...(issuedTokenType === undefined ? {} : { issued_token_type: issuedTokenType }),
    access_token: accessToken,
    token_type: tokenType,
    expires_in: expiresInSeconds,
    scope,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    ...(idToken === undefined ? {} : { id_token: idToken }),
  };
}

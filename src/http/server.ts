import { Elysia, NotFoundError } from "elysia";
import { hasElysiaServer } from "../base/runtime.ts";
import type { AuditDeps, Deps, SignInDeps } from "../deps.ts";
import type { AvatarDeps } from "../flows/avatars/change.ts";
import type { BrandDeps } from "../flows/brand/change.ts";
import type { AdministerResourcesDeps } from "../flows/oauth/resources/administer-resources.ts";
import { auditRoutes } from "./audit-routes.ts";
import type { Endpoint, ShowMissing, ShowRefusal } from "./endpoint.ts";
import type { IncomingRequest } from "./incoming-request.ts";
import { listen } from "./listen.ts";
import { type ManagementDeps, managementRoutes } from "./management-routes.ts";
import { oauthRoutes } from "./oauth-routes.ts";
import { documentRoutes } from "./openapi/documents.ts";
import { mountedPath } from "./openapi/openapi.ts";
import { type ProviderRouteDeps, providerRoutes } from "./provider-routes.ts";
import { type RespondDeps, respondPreflight, respondUnmatched, respondWith } from "./respond.ts";
import { accountRoutes } from "./routes/account.ts";
import { type AuthDeps, authRoutes } from "./routes/auth.ts";
import { avatarRoutes } from "./routes/avatars.ts";
import { brandRoutes } from "./routes/brand.ts";
import { credentialReviewRoutes } from "./routes/credential-review.ts";
import { dataExportRoutes } from "./routes/data-exports.ts";
import { deletionRoutes } from "./routes/deletions.ts";
import { directoryRoutes } from "./routes/directories.ts";
import { discoveryRoutes } from "./routes/discovery.ts";
import { type EmailOtpDeps, emailOtpRoutes } from "./routes/email-otp.ts";
import { featureFlagRoutes } from "./routes/feature-flags.ts";
import { identityRoutes } from "./routes/identities.ts";
import { type InvitationDeps, invitationRoutes } from "./routes/invitations.ts";
import { type MfaDeps, mfaRoutes } from "./routes/mfa.ts";
import type { OAuthProviderDeps } from "./routes/oauth-provider.ts";
import { operationsRoutes } from "./routes/operations.ts";
import { type OrganizationDomainDeps, organizationDomainRoutes } from "./routes/organization-domains.ts";
import { organizationPolicyRoutes } from "./routes/organization-policies.ts";
import { type PasskeyDeps, passkeyRoutes } from "./routes/passkeys.ts";
import { registrationSettingsRoutes } from "./routes/registration.ts";
import { requestRoutes } from "./routes/requests.ts";
import { samlRoutes } from "./routes/saml.ts";
import { type ScimDeps, scimRoutes } from "./routes/scim.ts";
import { type ServiceAccountDeps, serviceAccountRoutes } from "./routes/service-accounts.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { setupRoutes } from "./routes/setup.ts";
import { setupConnectionRoutes } from "./routes/setup-connection.ts";
import { setupLinkRoutes } from "./routes/setup-links.ts";
import { type SignalDeps, signalRoutes } from "./routes/signals.ts";
import { type SocialSignInDeps, socialSignInRoutes } from "./routes/social-sign-in.ts";
import { type SsoConnectionRouteDeps, ssoConnectionRoutes } from "./routes/sso-connections.ts";
import { ssoDiscoveryRoutes } from "./routes/sso-discovery.ts";
import { ssoFactorRoutes } from "./routes/sso-factors.ts";
import { ssoIdentityRoutes } from "./routes/sso-identities.ts";
import { ssoLinkRoutes } from "./routes/sso-links.ts";
import { ssoLogoutRoutes } from "./routes/sso-logout.ts";
import { type SsoMetadataDeps, ssoMetadataRoutes } from "./routes/sso-metadata.ts";
import { type SsoPolicyDeps, ssoPolicyRoutes } from "./routes/sso-policy.ts";
import { serviceKeyRoutes } from "./routes/sso-service-keys.ts";
import { ssoSignInRoutes } from "./routes/sso-sign-in.ts";
import { type SsoTestDeps, ssoTestRoutes } from "./routes/sso-tests.ts";
import { trustedBrowserRoutes } from "./routes/trusted-browsers.ts";
import { type TrustDeps, trustRoutes } from "./routes/trusts.ts";
import { userEmailRoutes } from "./routes/user-emails.ts";
import { userRoutes } from "./routes/users.ts";
import { webhookRecoveryRoutes } from "./routes/webhook-recovery.ts";
import { type WebhookDeps, webhookRoutes } from "./routes/webhooks.ts";
import { methodsOf, servedPaths } from "./served-paths.ts";
import type { SsoSignInDeps } from "./sso/sso-replies.ts";
import { teamRoutes } from "./team-routes.ts";

export type ServerDeps = SignInDeps &
  AuditDeps &
  RespondDeps &
  AuthDeps &
  MfaDeps &
  PasskeyDeps &
  EmailOtpDeps &
  AvatarDeps &
  BrandDeps &
  InvitationDeps &
  ManagementDeps &
  ProviderRouteDeps &
  SocialSignInDeps &
  OAuthProviderDeps &
  AdministerResourcesDeps &
  ServiceAccountDeps &
  TrustDeps &
  WebhookDeps &
  OrganizationDomainDeps &
  SsoConnectionRouteDeps &
  SsoMetadataDeps &
  SsoPolicyDeps &
  SsoSignInDeps &
  SsoTestDeps &
  ScimDeps &
  SignalDeps &
  Pick<Deps, "dataRequests" | "health" | "featureFlags" | "collectMetrics" | "webhookSigner">;

export interface RunningServer {
  /** Origin of the listener, with the port that the system chose for port 0. */
  readonly url: string;
  /** Milliseconds since the last request; probes, scrapes and files do not count. */
  quietFor(): number;
  /** Accepts no new connections and resolves after the responses to pending requests. */
  stop(): Promise<void>;
}

/** All endpoints, in the order of the documentation. */
export function allEndpoints(deps: ServerDeps): Endpoint[] {
  return [
    ...authRoutes(deps),
    ...mfaRoutes(deps),
    ...passkeyRoutes(deps),
    ...emailOtpRoutes(deps),
    ...socialSignInRoutes(deps),
    ...ssoSignInRoutes(deps),
    ...identityRoutes(deps),
    ...accountRoutes(deps),
    ...userEmailRoutes(deps),
    ...credentialReviewRoutes(deps),
    ...userRoutes(deps),
    ...deletionRoutes(deps),
    ...dataExportRoutes(deps),
    ...avatarRoutes(deps),
    ...brandRoutes(deps),
    ...invitationRoutes(deps),
    ...teamRoutes(deps),
    ...oauthRoutes(deps),
    ...serviceAccountRoutes(deps),
    ...trustRoutes(deps),
    ...webhookRoutes(deps),
    ...organizationDomainRoutes(deps),
    ...ssoConnectionRoutes(deps),
    ...serviceKeyRoutes(deps),
    ...ssoMetadataRoutes(deps),
    ...samlRoutes(deps),
    ...organizationPolicyRoutes(deps),
    ...ssoPolicyRoutes(deps),
    ...setupLinkRoutes(deps),
    ...setupRoutes(deps),
    ...setupConnectionRoutes(deps),
    ...ssoTestRoutes(deps),
    ...directoryRoutes(deps),
    ...scimRoutes(deps),
    ...ssoIdentityRoutes(deps),
    ...ssoFactorRoutes(deps),
    ...ssoLinkRoutes(deps),
    ...ssoDiscoveryRoutes(deps),
    ...ssoLogoutRoutes(deps),
    ...webhookRecoveryRoutes(deps),
    ...signalRoutes(deps),
    ...managementRoutes(deps),
    ...providerRoutes(deps),
    ...featureFlagRoutes(deps),
    ...registrationSettingsRoutes(deps),
    ...auditRoutes(deps),
    ...requestRoutes(deps),
    ...sessionRoutes(deps),
    ...trustedBrowserRoutes(deps),
    ...discoveryRoutes(deps),
    ...operationsRoutes(deps),
  ];
}

/** The pages for people, and the page for unknown paths. */
export interface Site {
  readonly endpoints: readonly Endpoint[];
  readonly showRefusal: ShowRefusal;
  readonly showMissing: ShowMissing;
}

/**
 * The Elysia application with every endpoint, the OpenAPI document and its page, and the pages for people. `onRequest`:
 * called for every request that a drain waits for; a drain does not wait for probes and files.
 */
export function buildServer(deps: ServerDeps, site: Site | undefined, onRequest: () => void = () => undefined) {
  const app = new Elysia({
    strictPath: true,
    // Elysia would look for the path after a host of at least four characters, and accept a path that begins later.
    handler: { standardHostname: false },
    // Bun would refuse a larger body without the error envelope. Each endpoint bounds its own body.
    serve: { maxRequestBodySize: Number.MAX_SAFE_INTEGER, idleTimeout: deps.config.listener.idleSeconds },
  }).onError(({ code, error, request, server }) => {
    const incomingRequest = { request, peer: () => server?.requestIP(request)?.address };
    const path = pathOf(request);
    const unmatched = { site: isOfApi(path) ? undefined : site, path: paths.get(path) };
    return respondUnmatched(deps, incomingRequest, code === "NOT_FOUND" ? undefined : error, unmatched);
  });
  if (deps.config.cors.origins.size > 0) {
    app.onRequest(({ request }) => respondPreflight(deps, request, paths.get(pathOf(request))));
  }
  const endpoints = allEndpoints(deps);
  const documented = [...endpoints, ...documentRoutes(deps.config, endpoints)];
  const paths = servedPaths(deps.config, [...documented, ...(site?.endpoints ?? [])]);
  const isOfApi = apiPaths(deps.config, documented);
  for (const endpoint of documented)
    mount(
      app as never,
      deps,
      endpoint.navigated ? { ...endpoint, showToBrowser: site?.showRefusal } : endpoint,
      onRequest,
    );
  for (const page of site?.endpoints ?? []) mount(app as never, deps, page, onRequest);
  return app;
}

/**
 * Whether a path belongs to the API, which responds with the error envelope for every Accept header: all paths below
 * the route prefix and `/.well-known`, and the remaining paths of the API endpoints.
 */
function apiPaths(config: ServerDeps["config"], endpoints: readonly Endpoint[]): (path: string) => boolean {
  const paths = new Set(endpoints.map((endpoint) => mountedPath(config, endpoint)));
  const folders = [config.urls.routePrefix, "/.well-known", "/avatars", "/logos"];
  return (path) => paths.has(path) || folders.some((each) => path === each || path.startsWith(`${each}/`));
}

/** The path of a request. Bun builds the preceding part from the Host header, which may be malformed. */
function pathOf({ url }: Request): string {
  return url.slice(url.indexOf("/", "https://".length)).split(/[?#]/, 1)[0] ?? "";
}

function mount(app: Elysia, deps: ServerDeps, endpoint: Endpoint, onRequest: () => void): void {
  const path = mountedPath(deps.config, endpoint);
  const respond = respondWith(deps, endpoint, path);
  const notify = endpoint.unsampled ? () => undefined : onRequest;
  for (const mounted of mountedSpellings(endpoint, path)) {
    for (const method of methodsOf(endpoint)) {
      route(app, method, mounted, (incomingRequest) => {
        notify();
        return respond(endpoint.restOfPath ? withRest(incomingRequest, path) : incomingRequest);
      });
    }
  }
}

/** The paths of an endpoint for the router. Consoles of load balancers append a slash to the path of a probe. */
function mountedSpellings({ restOfPath, probe }: Endpoint, path: string): readonly string[] {
  if (restOfPath) return [path.replace(REST_PARAMETER, "*")];
  return probe ? [path, `${path}/`] : [path];
}

/** The last parameter of a path, for which the router has a wildcard. */
const REST_PARAMETER = /:\w+$/;

function withRest(incomingRequest: IncomingRequest, path: string): IncomingRequest {
  const [name = ""] = REST_PARAMETER.exec(path) ?? [];
  return {
    ...incomingRequest,
    params: { ...incomingRequest.params, [name.slice(1)]: incomingRequest.params["*"] ?? "" },
  };
}

function route(
  app: Elysia,
  method: string,
  path: string,
  respond: (incomingRequest: IncomingRequest) => Promise<Response>,
): void {
  app.route(
    method,
    path,
    ({ request, params, server }) => {
      if (server && hasElysiaServer && isRewritten(request, path)) throw new NotFoundError();
      return respond({
        request,
        params: params ?? {},
        peer: () => server?.requestIP(request)?.address,
        setIdleTimeout: (seconds) => server?.timeout(request, seconds),
      });
    },
    // The endpoint reads the body, after the guards.
    { parse: "none" } as never,
  );
}

/**
 * Whether Bun changed the path by removing dot segments and replacing backslashes. A rewritten path matches no route,
 * so that no rule of a proxy is circumvented. Bun matches a route by the path as sent, and sets `params`; only an
 * unmatched request reaches Elysia, with the rewritten path. Bun has no routes with a wildcard, and of Elysia no routes
 * with a slash at the end, which only probes have.
 */
function isRewritten(request: Request, path: string): boolean {
  return !("params" in request) && !/[*/]$/.test(path);
}

export async function startServer(deps: ServerDeps, site?: Site): Promise<RunningServer> {
  const { host, port, idleSeconds } = deps.config.listener;
  let lastRequestAt = Number.NEGATIVE_INFINITY;
  const onRequest = () => {
    lastRequestAt = deps.clock.monotonic();
  };
  const app = buildServer(deps, site, onRequest);
  const options = { hostname: host, port, reusePort: deps.config.processes > 1, idleSeconds };
  const server = await listen(app, options);
  return {
    url: server.url.origin,
    quietFor: () => deps.clock.monotonic() - lastRequestAt,
    async stop() {
      await server.stop();
    },
  };
}

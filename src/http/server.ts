import { openapi } from "@elysiajs/openapi";
import { Elysia } from "elysia";
import { HTTP_IDLE_TIMEOUT_SECONDS } from "../base/limits.ts";
import type { Deps } from "../deps.ts";
import type { ExportNeeds } from "../flows/audit/export.ts";
import type { AvatarNeeds } from "../flows/avatars/change.ts";
import type { PutIntegrationNeeds } from "../flows/integrations/administer.ts";
import { preflight } from "./cors.ts";
import { docsPage } from "./docs-page.ts";
import type { Endpoint } from "./endpoint.ts";
import { API_COMPONENTS, API_INFO, describeOperation, mountedPath } from "./openapi.ts";
import { textReply, toResponse } from "./reply.ts";
import { type RespondNeeds, respondUnmatched, respondWith } from "./respond.ts";
import { type AccountNeeds, accountRoutes } from "./routes/account.ts";
import { type AdminNeeds, adminRoutes } from "./routes/admin.ts";
import { auditRoutes } from "./routes/audit.ts";
import { type AuthNeeds, authRoutes } from "./routes/auth.ts";
import { avatarRoutes } from "./routes/avatars.ts";
import { discoveryRoutes } from "./routes/discovery.ts";
import { type EmailOtpNeeds, emailOtpRoutes } from "./routes/email-otp.ts";
import { featureFlagRoutes } from "./routes/feature-flags.ts";
import { integrationRoutes } from "./routes/integrations.ts";
import { type InvitationNeeds, invitationRoutes } from "./routes/invitations.ts";
import { memberRoutes } from "./routes/members.ts";
import { type MfaNeeds, mfaRoutes } from "./routes/mfa.ts";
import { type OauthNeeds, oauthRoutes } from "./routes/oauth.ts";
import { operationsRoutes } from "./routes/operations.ts";
import { type PasskeyNeeds, passkeyRoutes } from "./routes/passkeys.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { trustedBrowserRoutes } from "./routes/trusted-browsers.ts";
import { userRoutes } from "./routes/users.ts";

export type ServerNeeds = RespondNeeds &
  AuthNeeds &
  MfaNeeds &
  PasskeyNeeds &
  EmailOtpNeeds &
  AccountNeeds &
  AvatarNeeds &
  InvitationNeeds &
  AdminNeeds &
  ExportNeeds &
  PutIntegrationNeeds &
  OauthNeeds &
  Pick<Deps, "database" | "health" | "state" | "featureFlags">;

/** Larger bodies than any of ours: Bun would answer those without the envelope. Each route bounds what it reads. */
const BODY_MAX_BYTES = 16 * 1024 ** 3;
/** The page holds no script; nothing on it may come from elsewhere. */
const DOCS_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export interface RunningServer {
  /** Where it listens; the port may have been left to the system. */
  readonly url: string;
  /** Milliseconds since the last request to the API; what operators and verifiers ask does not count. */
  quietFor(): number;
  /** Takes no new connections and resolves once the requests under way are answered. */
  stop(): Promise<void>;
}

/** All endpoints, in the order of the documentation. */
export function allEndpoints(needs: ServerNeeds): Endpoint[] {
  return [
    ...authRoutes(needs),
    ...mfaRoutes(needs),
    ...passkeyRoutes(needs),
    ...emailOtpRoutes(needs),
    ...oauthRoutes(needs),
    ...accountRoutes(needs),
    ...userRoutes(needs),
    ...avatarRoutes(needs),
    ...invitationRoutes(needs),
    ...memberRoutes(needs),
    ...adminRoutes(needs),
    ...integrationRoutes(needs),
    ...featureFlagRoutes(needs),
    ...auditRoutes(needs),
    ...sessionRoutes(needs),
    ...trustedBrowserRoutes(needs),
    ...discoveryRoutes(needs),
    ...operationsRoutes(needs),
  ];
}

/** The Elysia application: every endpoint, its document at /openapi.json, a page of it at /docs. */
export function buildServer(needs: ServerNeeds, onRequest: () => void = () => undefined) {
  const app = new Elysia({
    strictPath: true,
    serve: { maxRequestBodySize: BODY_MAX_BYTES, idleTimeout: HTTP_IDLE_TIMEOUT_SECONDS },
  }).onError(({ code, error, request }) => respondUnmatched(needs, request, code === "NOT_FOUND" ? undefined : error));
  if (needs.config.cors.origins.size > 0) app.onRequest(({ request }) => preflight(needs.config, request));
  app.use(
    openapi({
      provider: null,
      specPath: "/openapi.json",
      exclude: { paths: ["/openapi.json", "/docs"], staticFile: false },
      documentation: { info: API_INFO, components: API_COMPONENTS as never },
    }),
  );
  const endpoints = allEndpoints(needs);
  for (const endpoint of endpoints) mount(app as never, needs, endpoint, onRequest);
  const page = docsPage(endpoints.map((each) => ({ ...each, path: mountedPath(needs.config, each) })));
  app.get("/docs", () =>
    toResponse(
      textReply(200, "text/html; charset=utf-8", page, { headers: { "content-security-policy": DOCS_POLICY } }),
      {
        requestId: needs.random.uuid(),
        cookiesSecure: needs.config.cookies.secure,
        extra: {},
      },
    ),
  );
  return app;
}

function mount(app: Elysia, needs: ServerNeeds, endpoint: Endpoint, onRequest: () => void): void {
  const path = mountedPath(needs.config, endpoint);
  const respond = respondWith(needs, endpoint, path);
  const arrived = endpoint.prefixed === false ? () => undefined : onRequest;
  app.route(
    endpoint.method,
    path,
    ({ request, params, server }) => {
      arrived();
      return respond({
        request,
        params: params ?? {},
        peer: () => server?.requestIP(request)?.address,
        setIdleTimeout: (seconds) => server?.timeout(request, seconds),
      });
    },
    // Bodies are read by the endpoint itself, after its guards.
    { parse: "none", detail: describeOperation(endpoint) } as never,
  );
}

/** Listens at the configured address. */
export function startServer(needs: ServerNeeds): RunningServer {
  const { host, port } = needs.config.listener;
  let lastRequestAt = Number.NEGATIVE_INFINITY;
  const onRequest = () => {
    lastRequestAt = needs.clock.monotonic();
  };
  const app = buildServer(needs, onRequest).listen({ hostname: host, port, reusePort: needs.config.processes > 1 });
  const server = app.server;
  if (!server) throw new Error("the server did not start");
  return {
    url: server.url.origin,
    quietFor: () => needs.clock.monotonic() - lastRequestAt,
    async stop() {
      await server.stop(false);
    },
  };
}

import { rfc3339 } from "../../base/clock.ts";
import { err, ok } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { login } from "../../flows/auth/login.ts";
import { logout } from "../../flows/auth/logout.ts";
import { refresh } from "../../flows/auth/refresh.ts";
import { register } from "../../flows/auth/register.ts";
import { switchOrganization } from "../../flows/auth/switch-organization.ts";
import { applicationOf, needsOrganizationName } from "../../flows/registration/read.ts";
import { signOutAtProvider } from "../../flows/sso/logout/sign-out-at-provider.ts";
import type { SsoDeps } from "../../flows/sso/sign-in/connection.ts";
import type { SessionView } from "../../models/session/session.ts";
import { bindingCookies, SSO_BINDING } from "../binding-cookies.ts";
import { clearedCookies, REFRESH_COOKIE, TRUST_COOKIE } from "../cookies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { boundBody } from "../profile.ts";
import { emptyReply, reply, sharedBody } from "../reply.ts";
import {
  ContinuedLogoutBody,
  CurrentCaller,
  LoginBody,
  LoginResponse,
  LoginSuccess,
  LogoutBody,
  OrganizationBody,
  Refreshed,
  RegisterBody,
} from "../schemas/auth.ts";
import {
  type CapabilityDeps,
  capabilitiesBody,
  freshCookies,
  keyBody,
  signedInReply,
  signInReply,
  userBody,
} from "../signed-in.ts";

export type AuthDeps = SignInDeps & SsoDeps & Pick<Deps, "csrfKey" | "oauthClients" | "oauthResources">;

const tag = "Sign-in";

/** docs/contract.md, sections 7.1 to 7.5 and 7.9. */
export function authRoutes(deps: AuthDeps): Endpoint[] {
  return [
    ...registrationRoutes(deps),
    ...loginRoutes(deps),
    ...refreshRoutes(deps),
    ...signOutRoutes(deps),
    ...currentSessionRoutes(deps),
  ];
}

function registrationRoutes(deps: AuthDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/register",
      operationId: "register",
      docs: { clientMethod: "register", section: "7.1" },
      tag,
      summary: "Register an organization with its owner",
      auth: "none",
      limits: { address: "register" },
      input: {
        body: RegisterBody,
        alsoRequired: ({ client_id: id }) => (needsOrganizationName(deps, id) ? ["organization_name"] : []),
      },
      responses: {
        201: { description: "Registered and signed in; cookies set", schema: LoginSuccess, headers: ["Set-Cookie"] },
      },
      problems: ["conflict", "forbidden"],
      async handle({ body, client }) {
        const application = applicationOf(deps, body.client_id);
        if (!application.ok) return application;
        const outcome = await register(deps, {
          application: application.value,
          organization: {
            organizationName: body.organization_name,
            organizationSlug: body.organization_slug,
            email: body.email,
            password: body.password,
            displayName: body.display_name,
          },
          client,
        });
        return outcome.ok ? ok(signedInReply(deps, 201, outcome.value)) : outcome;
      },
    }),
  ];
}

function loginRoutes(deps: AuthDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/login",
      operationId: "login",
      docs: { clientMethod: "signIn", section: "7.2" },
      tag,
      summary: "Sign in with a password",
      description:
        "An unknown address, a wrong password and a disabled account get the same response in the same time.",
      auth: "none",
      limits: { address: "sign_in", countsItself: true },
      input: { body: LoginBody },
      responses: {
        200: {
          description: "Signed in, or a second factor is required",
          schema: LoginResponse,
          headers: ["Set-Cookie"],
        },
      },
      problems: ["authentication_required", "forbidden", "sso_required"],
      async handle({ body, cookies, client, admission }) {
        const outcome = await login(deps, {
          email: body.email,
          password: body.password,
          organizationId: body.organization_id,
          trustToken: cookies[TRUST_COOKIE],
          admission,
          client,
        });
        return outcome.ok ? ok(signInReply(deps, outcome.value)) : outcome;
      },
    }),
  ];
}

function refreshRoutes(deps: AuthDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/refresh",
      operationId: "refresh",
      docs: { clientMethod: "refresh", section: "7.3", access: "refresh cookie", credential: "refresh_cookie" },
      tag,
      summary: "Rotate the refresh token and issue an access token",
      description:
        "Needs no CSRF header. 401 means signed out; 500 means that the state of the session is unknown, retry later.",
      auth: "none",
      limits: { countsCaller: true },
      responses: { 200: { description: "New tokens; new cookies", schema: Refreshed, headers: ["Set-Cookie"] } },
      problems: ["authentication_required", "forbidden", "rate_limited"],
      async handle({ cookies, client, callerAdmission }) {
        const input = { refreshToken: cookies[REFRESH_COOKIE], admissionOf: callerAdmission, client };
        const outcome = await refresh(deps, input);
        // The sign-out is final: a repeatable refusal keeps the cookies.
        if (!outcome.ok && outcome.error.reason === "signed_out") {
          return err({ ...outcome.error, cookies: clearedCookies(deps.config) });
        }
        if (!outcome.ok) return outcome;
        const { sessionId, tokens } = outcome.value;
        return ok(
          reply(
            200,
            { access_token: tokens.accessToken, expires_in: tokens.expiresInSeconds },
            { cookies: freshCookies(deps, sessionId, tokens) },
          ),
        );
      },
    }),
  ];
}

function signOutRoutes(deps: AuthDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/logout",
      operationId: "logout",
      docs: { clientMethod: "signOut", section: "7.4, 29.37" },
      tag,
      summary: "Sign out",
      auth: "optional",
      session: { servesSession: "exit", servesUnverified: true, boundSession: "before_factor" },
      input: {
        body: LogoutBody,
        // A sign-out never fails by its input.
        malformedBody: "empty",
      },
      responses: {
        200: {
          description: "Signed out here; the browser continues at the identity provider",
          schema: ContinuedLogoutBody,
          headers: ["Set-Cookie"],
        },
        204: { description: "Signed out, now or before; cookies cleared", headers: ["Set-Cookie"] },
      },
      problems: [],
      async handle({ caller, body, cookies, request, client }) {
        // An Authorization header counts, valid or not, and cookies do not (docs/contract.md, section 3.1).
        const refreshToken = request.headers.has("authorization") ? undefined : cookies[REFRESH_COOKIE];
        const input = { caller: caller?.session, refreshToken, client };
        const cleared = clearedCookies(deps.config);
        if (!body.everywhere) {
          await logout(deps, input);
          return ok(emptyReply(204, { cookies: cleared }));
        }
        const continued = await signOutAtProvider(deps, { ...input, redirectTo: body.redirect_to });
        if (!continued) return ok(emptyReply(204, { cookies: cleared }));
        const binding = bindingCookies(deps.config, SSO_BINDING, continued, cookies);
        return ok(reply(200, { continue_at: continued.continueAt }, { cookies: [...cleared, ...binding] }));
      },
    }),
  ];
}

function currentSessionRoutes(deps: AuthDeps): Endpoint[] {
  const sessionBody = sessionBodies(deps);
  return [
    endpoint({
      method: "GET",
      path: "/auth/session",
      operationId: "getSession",
      docs: { clientMethod: "session.get", section: "7.5" },
      tag,
      summary: "The current user, session and permissions",
      auth: "own_or_program",
      session: { servesSession: "enrolment", servesUnverified: true, boundSession: "before_factor" },
      responses: {
        200: {
          description: "The current user, capabilities and session; of an API key, the key",
          schema: CurrentCaller,
        },
      },
      problems: [],
      handle: ({ caller }) => ok(reply(200, caller.via === "key" ? keyBody(caller.key) : sessionBody(caller.view))),
    }),
    endpoint({
      method: "POST",
      path: "/auth/organization",
      operationId: "switchOrganization",
      docs: { clientMethod: "session.switchOrganization", section: "7.9" },
      tag,
      summary: "Switch the session to another organization of the caller",
      auth: "own",
      session: { servesSession: "exit", boundSession: "served" },
      input: { body: OrganizationBody },
      responses: {
        200: {
          description: "The session now belongs to that organization; new cookies",
          schema: LoginSuccess,
          headers: ["Set-Cookie"],
        },
      },
      problems: ["not_found", "forbidden", "mfa_required", "rate_limited", "sso_required"],
      async handle({ caller, body, client }) {
        const outcome = await switchOrganization(deps, {
          caller: caller.session,
          organizationId: body.organization_id,
          client,
        });
        return outcome.ok ? ok(signedInReply(deps, 200, outcome.value)) : outcome;
      },
    }),
  ];
}

/** A change to a session replaces the view; a view is never modified. */
const sessionBodies = (deps: CapabilityDeps) =>
  sharedBody((session: SessionView) => {
    return {
      user: { ...userBody(session), extensions: session.attributes === null ? {} : { attributes: session.attributes } },
      capabilities: capabilitiesBody(deps, session),
      session: {
        id: session.id,
        auth_method: session.authMethod,
        ...boundBody(session.organizationBound),
        aal: session.aal,
        auth_time: rfc3339(session.authTime),
        mfa_verified_at: session.mfaVerifiedAt === null ? null : rfc3339(session.mfaVerifiedAt),
        expires_at: rfc3339(session.expiresAt),
        enrolment_only: session.enrolmentOnly || session.ownFactor === "required",
      },
    };
  });

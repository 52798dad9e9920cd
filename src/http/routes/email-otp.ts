import { isLocalPath } from "../../base/local-path.ts";
import { makeOpaqueToken } from "../../base/opaque-token.ts";
import { ok } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { signInByLink } from "../../flows/email-otp/link.ts";
import { requestEmailCode } from "../../flows/email-otp/request.ts";
import type { CodeOutcome } from "../../flows/email-otp/sign-up.ts";
import { verifyEmailCode } from "../../flows/email-otp/verify.ts";
import { applicationOf } from "../../flows/registration/read.ts";
import { CODE_BROWSER_COOKIE, codeBrowserCookie, TRUST_COOKIE } from "../cookies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply } from "../reply.ts";
import { LoginResponse, LoginSuccess } from "../schemas/auth.ts";
import { LinkBody, RequestCodeBody, VerifyCodeBody } from "../schemas/email-otp.ts";
import { signedInReply, signInReply } from "../signed-in.ts";

export type EmailOtpDeps = SignInDeps & Pick<Deps, "csrfKey" | "oauthClients" | "oauthResources">;

const tag = "Email codes";
/** The responses to the code and to the link of an email, which are one credential. */
const SIGNED_IN = {
  200: { description: "Signed in, or a second factor is required", schema: LoginResponse, headers: ["Set-Cookie"] },
  201: { description: "The account is created and signed in", schema: LoginSuccess, headers: ["Set-Cookie"] },
} as const;

/** docs/contract.md, chapter 11. */
export function emailOtpRoutes(deps: EmailOtpDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/email-otp/request",
      operationId: "requestEmailCode",
      docs: { clientMethod: "emailCode.request", section: "11.1" },
      tag,
      summary: "Send a sign-in code by email",
      description: "Known, unknown, disabled and malformed addresses get the same response in the same time.",
      auth: "none",
      limits: { address: "sign_in" },
      input: { body: RequestCodeBody, malformedBody: "empty" },
      responses: {
        204: { description: "A code is queued, if the address can sign in or sign up", headers: ["Set-Cookie"] },
      },
      problems: [],
      async handle({ body, client }) {
        const application = applicationIn(deps, body.client_id);
        const { link } = deps.registration.settings(application?.registration);
        const browserToken = link ? makeOpaqueToken(deps.random) : undefined;
        const redirectTo = localPathIn(body.redirect_to);
        const signUp = body.sign_up === true;
        const requested = await requestEmailCode(deps, {
          email: body.email,
          signUp,
          application,
          redirectTo,
          browserToken,
          client,
        });
        if (!requested.ok) return requested;
        return ok(emptyReply(204, browserToken ? { cookies: [codeBrowserCookie(deps.config, browserToken)] } : {}));
      },
    }),
    endpoint({
      method: "POST",
      path: "/auth/email-otp/verify",
      operationId: "verifyEmailCode",
      docs: { clientMethod: "emailCode.verify", section: "11.2" },
      tag,
      summary: "Sign in with an emailed code",
      description:
        "A code is valid for ten minutes and locked after five failed attempts. Every failure gets the same response.",
      auth: "none",
      limits: { address: "sign_in" },
      input: { body: VerifyCodeBody },
      responses: SIGNED_IN,
      problems: ["authentication_required", "forbidden", "sso_required"],
      async handle({ body, cookies, client }) {
        const { email, code } = body;
        const presented = { email, code, trustToken: cookies[TRUST_COOKIE], ...namesIn(body), client };
        const outcome = await verifyEmailCode(deps, presented);
        return outcome.ok ? ok(codeReply(deps, outcome.value)) : outcome;
      },
    }),
    endpoint({
      method: "POST",
      path: "/auth/email-otp/link",
      operationId: "signInByEmailLink",
      docs: { clientMethod: "emailCode.link", section: "37.4" },
      tag,
      summary: "Sign in with the link of an emailed code",
      description: "Works only in the browser that asked for the email: every other browser gets 401.",
      auth: "none",
      limits: { address: "sign_in" },
      input: { body: LinkBody },
      responses: SIGNED_IN,
      problems: ["authentication_required", "forbidden", "sso_required"],
      async handle({ body, cookies, client }) {
        const outcome = await signInByLink(deps, {
          token: body.token,
          browserToken: cookies[CODE_BROWSER_COOKIE],
          trustToken: cookies[TRUST_COOKIE],
          ...namesIn(body),
          client,
        });
        return outcome.ok ? ok(codeReply(deps, outcome.value)) : outcome;
      },
    }),
  ];
}

/** An unknown application counts as absent: the response is equal for every body. */
function applicationIn(deps: EmailOtpDeps, clientId: unknown) {
  const found = typeof clientId === "string" ? applicationOf(deps, clientId) : undefined;
  return found?.ok ? found.value : undefined;
}

function localPathIn(path: unknown): string | null {
  return typeof path === "string" && isLocalPath(path) ? path : null;
}

function namesIn(body: { readonly display_name?: string; readonly organization_name?: string }) {
  return { displayName: body.display_name, organizationName: body.organization_name };
}

/** 201 where the credential created the account. */
function codeReply(deps: EmailOtpDeps, outcome: CodeOutcome) {
  return outcome.status === "success" && outcome.created
    ? signedInReply(deps, 201, outcome.signedIn)
    : signInReply(deps, outcome);
}

import { ok } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { requestEmailCode } from "../../flows/email-otp/request.ts";
import { verifyEmailCode } from "../../flows/email-otp/verify.ts";
import { TRUST_COOKIE } from "../cookies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply } from "../reply.ts";
import { LoginResponse } from "../schemas/auth.ts";
import { RequestCodeBody, VerifyCodeBody } from "../schemas/email-otp.ts";
import { signInReply } from "../signed-in.ts";

export type EmailOtpDeps = SignInDeps & Pick<Deps, "oauthResources" | "csrfKey">;

const tag = "Email codes";

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
      responses: { 204: { description: "If the address belongs to an active account, a code is queued" } },
      problems: [],
      async handle({ body, client }) {
        await requestEmailCode(deps, { email: body.email, client });
        return ok(emptyReply(204));
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
      responses: {
        200: {
          description: "Signed in, or a second factor is required",
          schema: LoginResponse,
          headers: ["Set-Cookie"],
        },
      },
      problems: ["authentication_required", "forbidden", "sso_required"],
      async handle({ body, cookies, client }) {
        const trustToken = cookies[TRUST_COOKIE];
        const outcome = await verifyEmailCode(deps, { email: body.email, code: body.code, trustToken, client });
        return outcome.ok ? ok(signInReply(deps, outcome.value)) : outcome;
      },
    }),
  ];
}

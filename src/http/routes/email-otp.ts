import { ok } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { type RequestDeps, requestEmailCode } from "../../flows/email-otp/request.ts";
import { type VerifyDeps, verifyEmailCode } from "../../flows/email-otp/verify.ts";
import { TRUST_COOKIE } from "../cookies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply } from "../reply.ts";
import { LoginResponse } from "../schemas/auth.ts";
import { RequestCodeBody, VerifyCodeBody } from "../schemas/email-otp.ts";
import { signInReply } from "../signed-in.ts";

export type EmailOtpDeps = RequestDeps & VerifyDeps & Pick<Deps, "csrfKey">;

const tag = "E-mail codes";

/** Contract, sections 4.4 and 4.5. */
export function emailOtpRoutes(deps: EmailOtpDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/email-otp/request",
      operationId: "requestEmailCode",
      tag,
      summary: "Have a sign-in code e-mailed",
      description: "Known, unknown, disabled and malformed addresses answer alike, in the same time.",
      auth: "none",
      limit: "sign_in",
      body: RequestCodeBody,
      malformedBody: "empty",
      answers: { 204: { description: "If the address belongs to an active account, a code is on its way" } },
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
      tag,
      summary: "Sign in with an e-mailed code",
      description: "A code lives ten minutes and is locked after five misses. One answer for every way to be wrong.",
      auth: "none",
      limit: "sign_in",
      body: VerifyCodeBody,
      answers: {
        200: {
          description: "Signed in, or a second factor is asked for",
          schema: LoginResponse,
          headers: ["Set-Cookie"],
        },
      },
      problems: ["authentication_required"],
      async handle({ body, cookies, client }) {
        const trustToken = cookies[TRUST_COOKIE];
        const outcome = await verifyEmailCode(deps, { email: body.email, code: body.code, trustToken, client });
        return outcome.ok ? ok(signInReply(deps, outcome.value)) : outcome;
      },
    }),
  ];
}

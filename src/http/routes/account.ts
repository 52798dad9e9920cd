import { ok } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { sendVerification } from "../../flows/email/send-verification.ts";
import { verifyEmail } from "../../flows/email/verify.ts";
import { changeOwnPassword } from "../../flows/password/change.ts";
import { forgotPassword } from "../../flows/password/forgot.ts";
import { authorizePasswordRemoval, removeOwnPassword } from "../../flows/password/remove.ts";
import { resetPassword } from "../../flows/password/reset.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply } from "../reply.ts";
import { ChangePasswordBody, ForgotBody, ResetBody, VerifyEmailBody } from "../schemas/account.ts";

const tag = "Account";

/** docs/contract.md, sections 12.1 to 12.5: verification of the address, and the password. */
export function accountRoutes(deps: SignInDeps): Endpoint[] {
  return [...verificationRoutes(deps), ...passwordResetRoutes(deps), ...passwordChangeRoutes(deps)];
}

function verificationRoutes(deps: SignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/email/send-verification",
      operationId: "sendVerification",
      docs: { clientMethod: "email.sendVerification", section: "12.1" },
      tag,
      summary: "Send a verification link",
      auth: "own",
      session: { servesUnverified: true },
      responses: { 204: { description: "Queued, unless the address is already verified" } },
      problems: [],
      async handle({ caller, client }) {
        await sendVerification(deps, caller.session, client);
        return ok(emptyReply(204));
      },
    }),
    endpoint({
      method: "POST",
      path: "/auth/email/verify",
      operationId: "verifyEmail",
      docs: { clientMethod: "email.verify", section: "12.2" },
      tag,
      summary: "Verify the address with the token from the mail",
      description:
        "In a session of the same user (Bearer, or cookie with CSRF header) it also proves control of the account.",
      auth: "optional",
      session: { boundSession: "anonymous", csrfOptional: true, servesUnverified: true },
      limits: { address: "sign_in" },
      input: { body: VerifyEmailBody },
      responses: { 204: { description: "Verified" } },
      problems: ["authentication_required"],
      async handle({ body, caller, client }) {
        const outcome = await verifyEmail(deps, { token: body.token, caller: caller?.session, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function passwordResetRoutes(deps: SignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/password/forgot",
      operationId: "forgotPassword",
      docs: { clientMethod: "password.forgot", section: "12.3" },
      tag,
      summary: "Send a password reset link",
      description: "Known, unknown, disabled and malformed addresses get the same response in the same time.",
      auth: "none",
      limits: { address: "sign_in" },
      input: { body: ForgotBody, malformedBody: "empty" },
      responses: { 204: { description: "If the address belongs to an active account, a link is queued" } },
      problems: [],
      async handle({ body, client }) {
        await forgotPassword(deps, { email: body.email, client });
        return ok(emptyReply(204));
      },
    }),
    endpoint({
      method: "POST",
      path: "/auth/password/reset",
      operationId: "resetPassword",
      docs: { clientMethod: "password.reset", section: "12.4" },
      tag,
      summary: "Set a new password with the token from the mail",
      description:
        "Ends sessions and trusted browsers. As first proof of control it also removes passkeys, identities and " +
        "invitations.",
      auth: "none",
      limits: { address: "sign_in" },
      input: { body: ResetBody },
      responses: { 204: { description: "Password replaced" } },
      problems: ["authentication_required", "not_found"],
      async handle({ body, client }) {
        const outcome = await resetPassword(deps, { token: body.token, newPassword: body.new_password, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function passwordChangeRoutes(deps: SignInDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/users/me/password",
      operationId: "changePassword",
      docs: { clientMethod: "password.change", section: "12.5" },
      tag,
      summary: "Change the password",
      description:
        "Ends all other sessions and all trusted browsers. An account without a password sets the first password " +
        "without `current_password`, after a step-up or in a new session that began with a controlling proof.",
      auth: "own",
      input: { body: ChangePasswordBody },
      responses: { 204: { description: "Changed" } },
      problems: ["conflict", "mfa_required", "rate_limited"],
      async handle({ caller, body, client }) {
        const outcome = await changeOwnPassword(deps, {
          caller: caller.session,
          currentPassword: body.current_password,
          newPassword: body.new_password,
          client,
        });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/users/me/password",
      operationId: "removePassword",
      docs: { clientMethod: "password.remove", section: "12.13", access: "caller, `aal2`, step-up" },
      tag,
      summary: "Remove the password",
      description:
        "Needs a step-up within five minutes, a passkey that is synchronised or a second passkey, and an address " +
        "with a controlling proof.",
      auth: "own",
      authorize: ({ session }) => authorizePasswordRemoval(deps, session),
      responses: { 204: { description: "Removed, now or before; reset links end" } },
      problems: ["conflict", "mfa_required"],
      async handle({ caller, client }) {
        const outcome = await removeOwnPassword(deps, { caller: caller.session, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

import { ok } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { challenge } from "../../flows/mfa/challenge.ts";
import { disableMfa } from "../../flows/mfa/disable.ts";
import { renewRecoveryCodes } from "../../flows/mfa/renew-recovery-codes.ts";
import { readMfaStatus } from "../../flows/mfa/status.ts";
import { verifySecondFactor } from "../../flows/mfa/verify.ts";
import { enableFactor } from "../../flows/sso/factor/enable.ts";
import { setUpFactor } from "../../flows/sso/factor/setup.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { qrCodeUrl } from "../qr-code.ts";
import { emptyReply, reply } from "../reply.ts";
import { LoginSuccess } from "../schemas/auth.ts";
import {
  ChallengeBody,
  EnableBody,
  MfaSetupBody,
  MfaStatusBody,
  PasswordBody,
  RecoveryCodesBody,
  VerifyBody,
} from "../schemas/mfa.ts";
import { signedInReply } from "../signed-in.ts";
import { STEPPED_UP_RESPONSE, steppedUpReply } from "../stepped-up.ts";

export type MfaDeps = SignInDeps & Pick<Deps, "oauthResources" | "csrfKey">;

const tag = "Multi-factor authentication";

/** docs/contract.md, chapter 8. */
export function mfaRoutes(deps: MfaDeps): Endpoint[] {
  return [
    ...statusRoutes(deps),
    ...enrolmentRoutes(deps),
    ...confirmedFactorRoutes(deps),
    ...stepUpRoutes(deps),
    ...challengeRoutes(deps),
  ];
}

function statusRoutes(deps: MfaDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/auth/mfa/status",
      operationId: "getMfaStatus",
      docs: { clientMethod: "mfa.status", section: "8.2" },
      tag,
      summary: "Whether the caller has a second factor",
      auth: "own",
      session: { servesSession: "enrolment" },
      responses: { 200: { description: "The caller's second factor", schema: MfaStatusBody } },
      problems: [],
      async handle({ caller }) {
        const { enabledAt, recoveryCodesRemaining } = await readMfaStatus(deps, caller.session.userId);
        return ok(
          reply(200, {
            enabled: enabledAt !== null,
            enabled_at: enabledAt?.toISOString() ?? null,
            recovery_codes_remaining: recoveryCodesRemaining,
          }),
        );
      },
    }),
  ];
}

function enrolmentRoutes(deps: MfaDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/mfa/setup",
      operationId: "setUpMfa",
      docs: { clientMethod: "mfa.setUp", section: "8.3" },
      tag,
      summary: "Create a secret for an authenticator app",
      description: "The secret takes effect after the confirmation by a code, and replaces an unconfirmed secret.",
      auth: "own",
      session: { boundSession: "own_factor", servesSession: "enrolment" },
      responses: { 200: { description: "The secret, as text, link and QR code", schema: MfaSetupBody } },
      problems: ["conflict"],
      async handle({ caller }) {
        const setup = await setUpFactor(deps, caller.session);
        if (!setup.ok) return setup;
        const { secret, otpauthUri } = setup.value;
        return ok(reply(200, { secret, otpauth_uri: otpauthUri, qr_code: await qrCodeUrl(otpauthUri) }));
      },
    }),
    endpoint({
      method: "POST",
      path: "/auth/mfa/enable",
      operationId: "enableMfa",
      docs: { clientMethod: "mfa.enable", section: "8.4" },
      tag,
      summary: "Confirm the secret with a code",
      description:
        "Ends trusted browsers. Only this response contains the recovery codes. The session counts as stepped up " +
        "if the session began in the last ten minutes or the body has the right password; else with the next code.",
      auth: "own",
      session: { boundSession: "own_factor", servesSession: "enrolment" },
      input: { body: EnableBody },
      responses: { 200: { description: "Enabled", schema: RecoveryCodesBody } },
      problems: ["conflict", "rate_limited"],
      async handle({ caller, body, client }) {
        const { code, password } = body;
        const codes = await enableFactor(deps, { caller: caller.session, code, password, client });
        return codes.ok ? ok(reply(200, { recovery_codes: codes.value })) : codes;
      },
    }),
  ];
}

function confirmedFactorRoutes(deps: MfaDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/mfa/disable",
      operationId: "disableMfa",
      docs: { clientMethod: "mfa.disable", section: "8.5", access: "caller, `aal2`, password" },
      tag,
      summary: "Disable the second factor",
      description: "Needs a session of aal2 while a second factor is enabled, and an account with a password.",
      auth: "own",
      authorize: ({ session }) => authorizeCredentialChange(deps, session),
      input: { body: PasswordBody },
      responses: { 204: { description: "Disabled, now or before; trusted browsers end" } },
      problems: ["mfa_required", "conflict", "rate_limited"],
      async handle({ caller, authorized, body, client }) {
        const confirmation = { caller: caller.session, authorized, password: body.password, client };
        const outcome = await disableMfa(deps, confirmation);
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
    endpoint({
      method: "POST",
      path: "/auth/mfa/recovery-codes",
      operationId: "renewRecoveryCodes",
      docs: { clientMethod: "mfa.renewRecoveryCodes", section: "8.6", access: "caller, `aal2`, password" },
      tag,
      summary: "Replace the recovery codes",
      description:
        "Needs a session of aal2 and an account with a password. The old codes become invalid; the user is notified " +
        "by email.",
      auth: "own",
      session: { servesSession: "enrolment" },
      authorize: ({ session }) => authorizeCredentialChange(deps, session),
      input: { body: PasswordBody },
      responses: { 200: { description: "The new codes, only in this response", schema: RecoveryCodesBody } },
      problems: ["mfa_required", "conflict", "rate_limited"],
      async handle({ caller, authorized, body, client }) {
        const confirmation = { caller: caller.session, authorized, password: body.password, client };
        const codes = await renewRecoveryCodes(deps, confirmation);
        return codes.ok ? ok(reply(200, { recovery_codes: codes.value })) : codes;
      },
    }),
  ];
}

function stepUpRoutes(deps: MfaDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/mfa/verify",
      operationId: "verifyMfa",
      docs: { clientMethod: "session.stepUp", section: "8.8" },
      tag,
      summary: "Step the session up for five minutes",
      auth: "own",
      session: { boundSession: "own_factor", servesSession: "enrolment" },
      input: { body: VerifyBody },
      responses: { 200: STEPPED_UP_RESPONSE },
      problems: ["rate_limited"],
      async handle({ caller, body, cookies, client }) {
        const outcome = await verifySecondFactor(deps, {
          caller: caller.session,
          factors: body,
          client,
        });
        return outcome.ok ? ok(steppedUpReply(deps, caller, outcome.value, cookies)) : outcome;
      },
    }),
  ];
}

function challengeRoutes(deps: MfaDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/mfa/challenge",
      operationId: "challengeMfa",
      docs: { clientMethod: "completeMfa", section: "8.9", access: "mfa_token" },
      tag,
      summary: "Complete a sign-in with a second factor",
      description: "The mfa_token is single-use, and locked after five failed attempts until the token expires.",
      auth: "none",
      limits: { address: "sign_in", countsItself: true },
      input: { body: ChallengeBody },
      responses: {
        200: { description: "Signed in at aal2; cookies set", schema: LoginSuccess, headers: ["Set-Cookie"] },
      },
      problems: ["authentication_required"],
      async handle({ body, client, admission }) {
        const outcome = await challenge(deps, {
          admission,
          mfaToken: body.mfa_token,
          factors: body,
          client,
        });
        return outcome.ok ? ok(signedInReply(deps, 200, outcome.value)) : outcome;
      },
    }),
  ];
}

import { Type } from "@sinclair/typebox";
import { RECOVERY_CODE_MAX_CHARACTERS } from "../../base/limits.ts";
import { Timestamp } from "./common.ts";

/** Six ASCII digits (decisions, section 5): no spaces, no other digits, no number. */
export const SixDigits = Type.String({ pattern: "^[0-9]{6}$", description: "six ASCII digits", examples: ["123456"] });
const RecoveryCode = Type.String({
  minLength: 1,
  maxLength: RECOVERY_CODE_MAX_CHARACTERS,
  description: "xxxxx-xxxxx; case, spaces and hyphens do not count",
});

export const MfaStatusBody = Type.Object({
  enabled: Type.Boolean(),
  enabled_at: Type.Union([Timestamp, Type.Null()]),
  recovery_codes_remaining: Type.Integer(),
});

export const MfaSetupBody = Type.Object({
  secret: Type.String({ description: "Base32" }),
  otpauth_uri: Type.String(),
  qr_code: Type.String({ description: "data: URL of an SVG" }),
});

export const EnableBody = Type.Object({
  code: SixDigits,
  password: Type.Optional(
    Type.String({
      minLength: 1,
      description: "makes the enrolment a step-up where the session began more than ten minutes ago",
    }),
  ),
});
export const PasswordBody = Type.Object({ password: Type.String({ minLength: 1 }) });
export const RecoveryCodesBody = Type.Object({
  recovery_codes: Type.Array(Type.String({ description: "xxxxx-xxxxx" })),
});

const factor = { code: Type.Optional(SixDigits), recovery_code: Type.Optional(RecoveryCode) };
export const VerifyBody = Type.Object(factor, { description: "exactly one of the two" });
export const SteppedUpBody = Type.Object({
  mfa_verified_at: Timestamp,
  step_up_expires_at: Timestamp,
  access_token: Type.String(),
  expires_in: Type.Integer({ description: "seconds" }),
});

export const ChallengeBody = Type.Object(
  { mfa_token: Type.String({ minLength: 1 }), ...factor },
  { description: "exactly one of code and recovery_code" },
);

import { type TSchema, Type } from "@sinclair/typebox";
import type { FactorField } from "../../flows/steps/second-factor/factors.ts";
import { RECOVERY_CODE_MAX_CHARACTERS } from "../../limits/factor-limits.ts";
import { Jwt, Password } from "./auth.ts";
import { ExpiresIn, nullable, Timestamp, text } from "./common.ts";

/** docs/contract.md, section 2.4: text of ASCII digits without spaces, never a JSON number. */
export const SixDigits = Type.String({
  pattern: "^[0-9]{6}$",
  rule: "must be six ASCII digits",
  description: "six ASCII digits",
  examples: ["123456"],
});
const RecoveryCode = Type.String({
  minLength: 1,
  maxLength: RECOVERY_CODE_MAX_CHARACTERS,
  description: "xxxxx-xxxxx; case, spaces and hyphens are ignored",
  examples: ["k7m2p-x9q4r"],
});

export const MfaStatusBody = Type.Object(
  {
    enabled: Type.Boolean({ examples: [true] }),
    enabled_at: nullable(Timestamp),
    recovery_codes_remaining: Type.Integer({ documented: { minimum: 0, maximum: 10 }, examples: [10] }),
  },
  { $id: "MfaStatus" },
);

export const MfaSetupBody = Type.Object(
  {
    secret: text("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", "Base32"),
    otpauth_uri: Type.String({
      documented: { format: "uri" },
      description: "for authenticator apps",
      examples: ["otpauth://totp/Acme:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Acme"],
    }),
    qr_code: Type.String({
      documented: { format: "uri" },
      description: "data: URL of an SVG with otpauth_uri",
      examples: ["data:image/svg+xml;base64,PHN2Zy8+"],
    }),
  },
  { $id: "MfaSetup" },
);

export const EnableBody = Type.Object(
  {
    code: { ...SixDigits, description: "current code of the secret of the set-up: six ASCII digits" },
    password: Type.Optional({
      ...Password,
      description: "in a session of more than ten minutes: the set-up then counts as a step-up",
    }),
  },
  { $id: "EnableMfaRequest" },
);
export const PasswordBody = Type.Object({ password: Password }, { $id: "PasswordConfirmation" });
export const RecoveryCodesBody = Type.Object(
  { recovery_codes: Type.Array(text("k7m2p-x9q4r", "xxxxx-xxxxx, single use")) },
  { $id: "RecoveryCodes" },
);

const factor = {
  code: Type.Optional(SixDigits),
  recovery_code: Type.Optional(RecoveryCode),
} satisfies Record<FactorField, TSchema>;
export const VerifyBody = Type.Object(factor, {
  $id: "VerifyMfaRequest",
  description: "exactly one of the two members",
  examples: [{ code: "123456" }],
});
export const SteppedUpBody = Type.Object(
  {
    mfa_verified_at: Timestamp,
    step_up_expires_at: Timestamp,
    access_token: Jwt,
    expires_in: ExpiresIn,
  },
  { $id: "SteppedUp" },
);

export const ChallengeBody = Type.Object(
  { mfa_token: Type.String({ minLength: 1, description: "from a LoginResponse of status mfa_required" }), ...factor },
  {
    $id: "ChallengeMfaRequest",
    description: "Exactly one of code and recovery_code",
    examples: [{ mfa_token: Jwt.examples[0], code: "123456" }],
  },
);

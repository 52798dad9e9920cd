import { Type } from "@sinclair/typebox";
import { Email } from "./auth.ts";
import { SixDigits } from "./mfa.ts";

/** Anything is answered alike, so anything is let in (contract, section 4.4). */
export const RequestCodeBody = Type.Object({
  email: Type.Optional(Type.Unknown({ description: "e-mail address; anything else is answered alike" })),
});

export const VerifyCodeBody = Type.Object({ email: Email, code: SixDigits });

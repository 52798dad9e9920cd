import { Type } from "@sinclair/typebox";
import { AnyEmail } from "./account.ts";
import { Email } from "./auth.ts";
import { SixDigits } from "./mfa.ts";

/** Anything is answered alike, so anything is let in (contract, section 4.4). */
export const RequestCodeBody = Type.Object({ email: Type.Optional(AnyEmail) }, { $id: "EmailCodeRequest" });

export const VerifyCodeBody = Type.Object({ email: Email, code: SixDigits }, { $id: "VerifyEmailCodeRequest" });

import { Type } from "@sinclair/typebox";
import { AnyEmail } from "./account.ts";
import { Email } from "./auth.ts";
import { SixDigits } from "./mfa.ts";

export const RequestCodeBody = Type.Object({ email: Type.Optional(AnyEmail) }, { $id: "EmailCodeRequest" });

export const VerifyCodeBody = Type.Object({ email: Email, code: SixDigits }, { $id: "VerifyEmailCodeRequest" });

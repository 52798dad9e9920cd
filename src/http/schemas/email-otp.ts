import { Type } from "@sinclair/typebox";
import { AnyEmail } from "./account.ts";
import { Email } from "./auth.ts";
import { name, text } from "./common.ts";
import { SixDigits } from "./mfa.ts";

/** No shape is checked: every body gets the same response. */
export const RequestCodeBody = Type.Object(
  {
    email: Type.Optional(AnyEmail),
    sign_up: Type.Optional(
      Type.Unknown({
        documented: { type: "boolean" },
        description: "true: an address without an account gets a code to sign up",
        examples: [true],
      }),
    ),
    client_id: Type.Optional(
      Type.Unknown({
        documented: { type: "string", format: "uuid" },
        description: "application of the sign-up",
        examples: ["0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e"],
      }),
    ),
    redirect_to: Type.Optional(
      Type.Unknown({
        documented: { type: "string" },
        description: "local path after the link",
        examples: ["/account"],
      }),
    ),
  },
  { $id: "EmailCodeRequest" },
);

const SIGN_UP_MEMBERS = {
  display_name: Type.Optional(name("Ada Lovelace", "name of a new user")),
  organization_name: Type.Optional(name("Acme", "name of the organization of a new user, if not personal")),
};

export const VerifyCodeBody = Type.Object(
  { email: Email, code: SixDigits, ...SIGN_UP_MEMBERS },
  { $id: "VerifyEmailCodeRequest" },
);

export const LinkBody = Type.Object(
  { token: text("q2Xv…", "from the link of the email"), ...SIGN_UP_MEMBERS },
  { $id: "EmailLinkRequest" },
);

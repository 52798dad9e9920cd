import { Type } from "@sinclair/typebox";
import { REDIRECT_PATH_MAX_CHARACTERS } from "../../limits/provider-limits.ts";
import { Password } from "./auth.ts";
import { nullable, Timestamp, text, Uuid } from "./common.ts";
import { IdentityProviderKey } from "./social-sign-in.ts";

export const LinkedIdentityItem = Type.Object(
  {
    id: Uuid,
    provider: text("oauth_idp_a", "key of the provider"),
    provider_name: text("Google"),
    label: nullable(text("a***@example.com", "the masked address at the provider, else the name")),
    created_at: Timestamp,
    last_used_at: Timestamp,
  },
  { $id: "LinkedIdentity" },
);

export const BeginLinkBody = Type.Object(
  {
    provider: IdentityProviderKey,
    redirect_to: Type.Optional(
      Type.String({
        description: "path of this origin to redirect to afterwards",
        default: "/account/security",
        documented: { maxLength: REDIRECT_PATH_MAX_CHARACTERS },
      }),
    ),
  },
  { $id: "BeginIdentityLinkRequest" },
);

export const LinkStarted = Type.Object(
  { authorization_url: text("https://accounts.google.com/o/oauth2/v2/auth?client_id=app") },
  { $id: "IdentityLinkStarted" },
);

export const UnlinkBody = Type.Object({ password: Type.Optional(Password) }, { $id: "UnlinkIdentityRequest" });

import { Type } from "@sinclair/typebox";
import { EmailAddress, nullable } from "./common.ts";

export const DiscoverBody = Type.Object({ email: EmailAddress }, { $id: "SsoDiscoveryRequest" });

export const DiscoveryResponse = Type.Object(
  {
    sso: nullable(
      Type.Object({
        start_url: Type.String({
          description: "start of the sign-in, for a navigation of the browser; `redirect_to` may be added",
          examples: ["https://id.example.com/v1/auth/sso/0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e/start"],
        }),
        required: Type.Boolean({ description: "the organization requires single sign-on", examples: [false] }),
      }),
      { description: "null: no single sign-on for the domain" },
    ),
  },
  { $id: "SsoDiscovery" },
);

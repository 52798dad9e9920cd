import { Type } from "@sinclair/typebox";
import { nullable, Timestamp, text, Uuid, url } from "./common.ts";
import { clientFields, DisplayedApplication, optional } from "./oauth-provider.ts";

export const DeviceForm = Type.Object(
  {
    scope: optional("openid profile", "separated by spaces"),
    resource: optional("https://api.example.com/", "resource server of the access token (RFC 8707), repeatable"),
    acr_values: optional("aal2", "`aal2` or `phr`: a user with a second factor or a passkey must present the factor"),
    ...clientFields,
  },
  { $id: "DeviceAuthorizationRequest" },
);

export const DeviceCodes = Type.Object(
  {
    device_code: text("9x1yq0c2dQ4a7mZ8RkP3sVbN6tUwXeHj5LfGiOaKoIc", "for the token endpoint"),
    user_code: text("WDJB-MJHT", "the device displays this code"),
    verification_uri: url("https://auth.acme.test/device", "the device displays this address"),
    verification_uri_complete: url("https://auth.acme.test/device?user_code=WDJB-MJHT", "for a QR code"),
    expires_in: Type.Integer({ description: "seconds", examples: [600] }),
    interval: Type.Integer({ description: "seconds between polls", examples: [5] }),
  },
  { $id: "DeviceAuthorizationResponse", description: "RFC 8628, section 3.2" },
);

export const FindDevice = Type.Object(
  { user_code: text("WDJB-MJHT", "in any case, with or without hyphens and spaces") },
  { $id: "FindDevice" },
);

const ofSession = "organization of the session, for which the device receives tokens";

export const ApproveDevice = Type.Object(
  {
    organization_id: Type.Optional(
      Type.String({
        format: "uuid",
        description: `as displayed: the ${ofSession}`,
        examples: Uuid.examples as string[],
      }),
    ),
  },
  { $id: "ApproveDevice" },
);

export const DeviceRequest = Type.Object(
  {
    id: Uuid,
    user_code: text("WDJB-MJHT"),
    client: DisplayedApplication,
    scopes: Type.Array(text("openid")),
    resources: Type.Array(text("https://api.example.com/")),
    organization_id: Uuid,
    ip_address: nullable(text("203.0.113.7", "network address of the device")),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { $id: "DeviceRequest", description: "A device that waits for an approval" },
);

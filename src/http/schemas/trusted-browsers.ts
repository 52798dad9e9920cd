import { Type } from "@sinclair/typebox";
import { DeviceItem, LocationItem, name, nullable, Timestamp, text, Uuid } from "./common.ts";

export const TrustedBrowserItem = Type.Object(
  {
    id: Uuid,
    name: nullable(text("Laptop")),
    user_agent: nullable(text("Mozilla/5.0", "of the creation")),
    device: DeviceItem,
    location: nullable(LocationItem),
    ip_address: nullable(text("203.0.113.7", "of the creation")),
    last_ip_address: nullable(text("203.0.113.7"), { description: "of the last sign-in, or of the creation" }),
    created_at: Timestamp,
    last_used_at: nullable(Timestamp, { description: "the last sign-in without the second factor" }),
    expires_at: Timestamp,
    current: Type.Boolean({ description: "the browser of the caller", examples: [true] }),
  },
  { $id: "TrustedBrowser" },
);

export const TrustBody = Type.Object(
  { name: Type.Optional(name("Laptop", "displayed name of the browser")) },
  { $id: "TrustBrowserRequest" },
);

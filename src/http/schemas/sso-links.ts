import { Type } from "@sinclair/typebox";
import { EmailAddress, nullable, Timestamp, text, Uuid } from "./common.ts";

export const PendingSsoLinkItem = Type.Object(
  {
    id: Uuid,
    connection_id: Uuid,
    connection_name: text("Acme Entra ID"),
    organization_id: Uuid,
    organization_name: text("Acme"),
    subject: text("00u1a2b3c4", "the user at the identity provider"),
    email: nullable(EmailAddress),
    redirect_to: text("/account/security", "the path from the start"),
    expires_at: Timestamp,
  },
  { $id: "PendingSsoLink" },
);

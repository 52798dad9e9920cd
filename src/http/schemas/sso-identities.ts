import { Type } from "@sinclair/typebox";
import { EmailAddress, oneOf, Timestamp, text, Uuid } from "./common.ts";

export const SsoIdentityItem = Type.Object(
  {
    id: Uuid,
    connection_id: Uuid,
    user_id: Uuid,
    email: EmailAddress,
    subject: text("00u1a2b3c4", "the user at the identity provider"),
    linked_by: oneOf(["domain", "user", "directory"]),
    created_at: Timestamp,
    last_used_at: Timestamp,
  },
  { $id: "SsoIdentity" },
);

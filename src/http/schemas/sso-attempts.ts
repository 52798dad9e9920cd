/** Confirmations of a connection, and the sign-ins by the connection (docs/contract.md, sections 29.6 and 29.8). */
import { Type } from "@sinclair/typebox";
import { nullable, oneOf, ReadVersion, Timestamp, text, Uuid } from "./common.ts";

/** The settings that an activation, or a new responsible person, confirms. */
export const ConfirmSettingsBody = Type.Object({ updated_at: ReadVersion }, { $id: "ConfirmSsoSettingsRequest" });

export const AttemptItem = Type.Object(
  {
    at: Timestamp,
    outcome: oneOf(["success", "failure"]),
    reason: nullable(text("domain"), { description: "null after a success" }),
    step: text("session", "the step in which the attempt ended"),
    email: nullable(text("ada@acme.com"), { description: "the asserted address" }),
    request_id: Uuid,
    user_id: nullable(Uuid),
    warning: Type.Optional(
      oneOf(["address_taken", "groups_incomplete", "roles_left_out"], {
        description:
          "of a success: the asserted address belongs to another user; or rules gave a role beyond the permissions " +
          "of the person who is responsible for the connection",
      }),
    ),
  },
  { $id: "SsoAttempt" },
);

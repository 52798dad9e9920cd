import { Type } from "@sinclair/typebox";
import { EMAIL_MAX_CHARACTERS } from "../../limits/account-limits.ts";
import { SETUP_LINK_HOURS_DEFAULT, SETUP_LINK_HOURS_MAX } from "../../limits/setup-link-limits.ts";
import { SETUP_INTENTS, SETUP_LINK_STATUSES } from "../../models/setup-link/setup-link.ts";
import { nullable, oneOf, PageQuery, Timestamp, text, Uuid } from "./common.ts";

export const SetupLinksQuery = Type.Object({ ...PageQuery.properties });

const Intents = Type.Array(oneOf(SETUP_INTENTS, { $id: "SetupIntent" }), {
  minItems: 1,
  maxItems: SETUP_INTENTS.length,
  description: "the tasks of the link",
  examples: [["domains", "connection"]],
});

export const CreateSetupLinkBody = Type.Object(
  {
    intents: Intents,
    email: Type.Optional(
      Type.String({
        maxLength: EMAIL_MAX_CHARACTERS,
        documented: { format: "email" },
        description: "receives the link",
        examples: ["it@acme.com"],
      }),
    ),
    expires_in_hours: Type.Optional(
      Type.Integer({ minimum: 1, maximum: SETUP_LINK_HOURS_MAX, default: SETUP_LINK_HOURS_DEFAULT, examples: [72] }),
    ),
  },
  { $id: "CreateSetupLinkRequest" },
);

export const CreatedSetupLinkItem = Type.Object(
  {
    id: Uuid,
    url: text("https://id.example.com/setup?token=8kQ2…", "displayed once; works in one browser"),
    expires_at: Timestamp,
  },
  { $id: "CreatedSetupLink" },
);

export const SetupLinkItem = Type.Object(
  {
    id: Uuid,
    organization_id: Uuid,
    intents: Intents,
    email: nullable(text("it@acme.com"), { description: "null: not mailed" }),
    status: oneOf(SETUP_LINK_STATUSES, { $id: "SetupLinkStatus" }),
    connection_id: nullable(Uuid, { description: "the connection that the link created" }),
    created_by: Uuid,
    created_at: Timestamp,
    begun_at: nullable(Timestamp),
    expires_at: Timestamp,
  },
  { $id: "SetupLink" },
);

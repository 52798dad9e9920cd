import { Type } from "@sinclair/typebox";
import { EMAIL_MAX_CHARACTERS } from "../../limits/account-limits.ts";
import { SETUP_LINK_HOURS_DEFAULT, SETUP_LINK_HOURS_MAX } from "../../limits/setup-link-limits.ts";
import { SETUP_INTENTS, SETUP_LINK_STATUSES } from "../../vocabulary/setup-intent.ts";
import { EMAIL_SHAPE, nullable, oneOf, PageQuery, Timestamp, text, Uuid } from "./common.ts";

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
        documented: EMAIL_SHAPE,
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

export const SetupTokenBody = Type.Object(
  { token: text("8kQ2…", "of the URL of the set-up link") },
  { $id: "SetupTokenRequest" },
);

const described = {
  id: Uuid,
  organization_id: Uuid,
  organization_name: text("Acme"),
  invited_by: nullable(text("Ada Lovelace")),
  email: nullable(text("it@acme.com"), { description: "the recipient of the mail" }),
  intents: Intents,
  expires_at: Timestamp,
};

export const SetupInvitationItem = Type.Object(described, { $id: "SetupInvitation" });

const csrfToken = text("q1w2.e3r4", "value of the header X-Service-CSRF of every change");

export const SetupItem = Type.Object(
  {
    ...described,
    connection_id: nullable(Uuid, { description: "the connection that the link created" }),
    directory_token_created: Type.Boolean({ examples: [false] }),
    csrf_token: csrfToken,
  },
  { $id: "Setup" },
);

export const SetupBegunItem = Type.Object({ csrf_token: csrfToken }, { $id: "SetupBegun" });

export const SetupTestStarted = Type.Object(
  {
    url: text("https://idp.example.com/authorize?…", "address for the browser of the link"),
    form: nullable(Type.Record(Type.String(), Type.String(), { examples: [{ SAMLRequest: "PHNhbWxwOkF1dGhu…" }] }), {
      description: "fields that the browser posts to `url`; null: the browser navigates to `url`",
    }),
  },
  { $id: "SetupTestStarted" },
);

export const SetupDirectoryToken = Type.Object(
  {
    token: text("acme_sk_4fGh8Kq2…", "only in this response"),
    base_url: text("https://id.example.com/v1/scim/v2", "the address that the directory calls"),
  },
  { $id: "SetupDirectoryToken" },
);

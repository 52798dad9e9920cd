import { Type } from "@sinclair/typebox";
import { nullable, oneOf, PageQuery, Timestamp, text, Uuid } from "./common.ts";
import { applicationOrigin } from "./oauth-provider.ts";

const STATES = ["requested", "decided"] as const;

export const ApplicationsQuery = Type.Composite([
  PageQuery,
  Type.Object({
    state: Type.Optional(oneOf(STATES, { default: "requested", description: "requests of members, or decisions" })),
  }),
]);

export const OrganizationApplicationItem = Type.Object(
  {
    id: Uuid,
    client_id: text("0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5f", "`id`, or the address of the metadata document"),
    name: text("Wiki", "name by the application"),
    ...applicationOrigin,
    redirect_uris: Type.Array(text("https://wiki.example.com/callback")),
    status: oneOf(["requested", "approved", "denied"], { examples: ["requested"] }),
    changed: Type.Boolean({
      description: "changed since the approval: the application waits for a new approval",
      examples: [false],
    }),
    requested_by: nullable(text("Ada Lovelace"), { description: "name or address of the member; null: no request" }),
    requested_at: nullable(Timestamp),
    decided_at: nullable(Timestamp),
  },
  { $id: "OrganizationApplication" },
);

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
    name: text("Wiki", "as the application states it"),
    ...applicationOrigin,
    redirect_uris: Type.Array(text("https://wiki.example.com/callback")),
    status: oneOf(["requested", "approved", "denied"], { examples: ["requested"] }),
    changed: Type.Boolean({
      description: "the application has changed since its approval, which counts as a request",
      examples: [false],
    }),
    requested_by: nullable(text("Ada Lovelace"), { description: "name or address of the member; null: no request" }),
    requested_at: nullable(Timestamp),
    decided_at: nullable(Timestamp),
  },
  { $id: "OrganizationApplication" },
);

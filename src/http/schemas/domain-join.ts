import { Type } from "@sinclair/typebox";
import { Role } from "./auth.ts";
import { EmailAddress, nullable, oneOf, Slug, Timestamp, text, Uuid } from "./common.ts";

const domain = text("example.com", "a verified domain of the organization");

export const JoinableItem = Type.Object(
  {
    organization_id: Uuid,
    organization_name: text("Acme"),
    organization_slug: Slug,
    domain,
    mode: oneOf(["ask", "join"], { description: "`ask`: a member decides about a request", examples: ["ask"] }),
    request: nullable(oneOf(["open", "denied"]), { description: "the caller's request; null: no request" }),
  },
  { $id: "JoinableOrganization" },
);

export const JoinedByDomain = Type.Object(
  { status: Type.Literal("joined", { examples: ["joined"] }), organization_id: Uuid, role: Role },
  { $id: "JoinedByDomain" },
);

export const JoinRequested = Type.Object(
  { status: Type.Literal("requested", { examples: ["requested"] }), organization_id: Uuid },
  { $id: "JoinRequested" },
);

export const JoinRequestItem = Type.Object(
  {
    id: Uuid,
    user_id: Uuid,
    email: EmailAddress,
    display_name: nullable(text("Grace Hopper")),
    domain,
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { $id: "JoinRequest" },
);

import { Type } from "@sinclair/typebox";
import { name, Slug, Uuid } from "./common.ts";

export const CreateOrganizationBody = Type.Object(
  {
    organization_name: name("Acme Labs", "displayed name"),
    slug: Type.Optional({ ...Slug, description: "default: derived from the name" }),
  },
  { $id: "CreateOwnOrganization" },
);

export const CreatedOrganization = Type.Object(
  {
    organization_id: Uuid,
    organization_name: name("Acme Labs", "displayed name"),
    slug: Slug,
    role: Type.Literal("owner", { examples: ["owner"] }),
  },
  { $id: "CreatedOrganization" },
);

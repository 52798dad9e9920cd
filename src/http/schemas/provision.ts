/** The creation of an organization by the platform (docs/contract.md, sections 14.3 and 36.3). */
import { Type } from "@sinclair/typebox";
import { Tier } from "./admin.ts";
import { Email, NewPassword } from "./auth.ts";
import { name, oneOf, Slug, Timestamp, text, Uuid } from "./common.ts";

const organizationFields = {
  organization_name: name("Acme", "name of the new organization"),
  organization_slug: Type.Optional({
    ...Slug,
    description: "derived from the name when absent, with a numeric suffix if the slug is in use",
  }),
  tier: Type.Optional(Tier),
};
const ownerName = Type.Optional(name("Ada Lovelace", "displayed name of the owner"));

/** The form of the console, whose owner has a password. */
export const ProvisionForm = Type.Object({
  ...organizationFields,
  owner_email: Email,
  owner_password: NewPassword,
  owner_display_name: ownerName,
});

export const ProvisionBody = Type.Object(
  {
    ...organizationFields,
    owner_email: Type.Optional({ ...Email, description: "first owner, who gets a verification link" }),
    owner_password: Type.Optional(NewPassword),
    owner: Type.Optional(
      Type.Object(
        {
          user_id: Type.Optional({ ...Uuid, description: "an existing user" }),
          email: Type.Optional({ ...Email, description: "of a user to create, without a password" }),
          display_name: Type.Optional(name("Ada Lovelace", "displayed name of the user to create")),
          delivery: Type.Optional({
            ...oneOf(["mail", "link"]),
            description: "with `email`: the link that sets the password by email, or in `owner_ticket`",
            examples: ["mail"],
          }),
        },
        { description: "in place of owner_email and owner_password" },
      ),
    ),
    owner_display_name: ownerName,
  },
  { $id: "ProvisionRequest" },
);
export const ProvisionedBody = Type.Object(
  {
    organization_id: Uuid,
    owner_user_id: Uuid,
    slug: Slug,
    owner_ticket: Type.Optional(
      Type.Object(
        { url: text("https://auth.acme.test/reset-password?token=…"), expires_at: Timestamp },
        { description: "with `delivery: link`: sets the password of the owner, once" },
      ),
    ),
  },
  { $id: "ProvisionedOrganization" },
);

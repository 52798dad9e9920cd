import { Type } from "@sinclair/typebox";
import { DELETION_REASON_MAX } from "../../limits/deletion-limits.ts";
import { MailedToken } from "./account.ts";
import { Password } from "./auth.ts";
import { nullable, oneOf, PageQuery, Slug, Timestamp, text, Uuid } from "./common.ts";
import { SixDigits } from "./mfa.ts";

export const DeleteMeBody = Type.Object(
  {
    password: Type.Optional({ ...Password, description: "the current password" }),
    code: Type.Optional({ ...SixDigits, description: "an emailed code, for a user without a password" }),
  },
  { $id: "DeletionRequest" },
);

export const Reason = Type.String({
  minLength: 1,
  maxLength: DELETION_REASON_MAX,
  pattern: "^[^\\u0000]*\\S[^\\u0000]*$",
  rule: "must be a reason",
  description: "for administrators; erased with the user or organization",
  examples: ["Request of the user, ticket 4711"],
});
export const ReasonBody = Type.Object({ reason: Reason }, { $id: "AdministrativeReason" });

const DeletedOrganization = Type.Object({ id: Uuid, name: text("Acme"), slug: Slug });

export const UserDeletion = Type.Object(
  {
    id: Uuid,
    requested_at: Timestamp,
    deletion_at: { ...Timestamp, description: "time of the erasure" },
    organizations: Type.Array(DeletedOrganization, {
      description: "organizations without further member, which are deleted with the user",
    }),
  },
  { $id: "UserDeletion", description: "A pending deletion of a user" },
);

export const DeleteOrganizationBody = Type.Object(
  {
    slug: Slug,
    password: Type.Optional({ ...Password, description: "in place of a step-up, for an owner without second factor" }),
  },
  { $id: "OrganizationDeletionRequest" },
);

export const OrganizationDeletion = Type.Object(
  {
    id: Uuid,
    organization_id: Uuid,
    requested_at: Timestamp,
    deletion_at: { ...Timestamp, description: "time of the erasure" },
  },
  { $id: "OrganizationDeletion", description: "A pending deletion of an organization" },
);

export const CancelDeletionBody = Type.Object({ token: MailedToken }, { $id: "DeletionTokenRequest" });
const SubjectType = oneOf(["user", "organization"]);
export const CancelledDeletion = Type.Object({ subject_type: SubjectType }, { $id: "CancelledDeletion" });

export const DeletionsQuery = Type.Object({
  ...PageQuery.properties,
  subject_type: Type.Optional({ ...SubjectType, description: "only deletions of this kind" }),
});

export const DeletionItem = Type.Object(
  {
    id: Uuid,
    subject_type: SubjectType,
    subject_id: Uuid,
    requested_by: nullable(Uuid),
    reason: nullable(text("Request of the user, ticket 4711")),
    requested_at: Timestamp,
    deletion_at: Timestamp,
    erased_at: nullable(Timestamp),
  },
  { $id: "Deletion", description: "A pending deletion, or the tombstone of an erasure" },
);

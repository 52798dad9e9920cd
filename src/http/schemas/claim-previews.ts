import { Type } from "@sinclair/typebox";
import { CLAIM_OUTCOMES } from "../../vocabulary/claim-mapping.ts";
import { NewApiClaimMappings, NewClientClaimMappings } from "./claim-mappings.ts";
import { nullable, oneOf, text, Uuid } from "./common.ts";

const asked = {
  user_id: Uuid,
  organization_id: Type.Optional(Uuid),
  scopes: Type.Optional(Type.Array(text("openid"), { description: "default: every scope" })),
  organizations: Type.Optional(nullable(Type.Array(Uuid), { description: "default: the stored list" })),
};
const claims = (example: string) =>
  Type.Object(
    {},
    { additionalProperties: true, description: "complete, without a signature", examples: [{ sub: example }] },
  );
const USER = "0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e";
const Outcomes = Type.Array(
  Type.Object({
    claim: text("groups"),
    outcome: oneOf(CLAIM_OUTCOMES),
    in: oneOf(["access_token", "id_token", "introspection", "userinfo"]),
    scope: nullable(text("groups")),
    sources: Type.Array(text("groups")),
    control: Type.Array(oneOf(["platform", "organization", "user"])),
    bytes: Type.Integer({ description: "JSON of the value before a cut", examples: [24] }),
    detail: nullable(text("No such key: plan"), { description: "why the expression failed" }),
  }),
);

export const PreviewApplicationClaims = Type.Object(
  { ...asked, claim_mappings: Type.Optional(NewClientClaimMappings) },
  { $id: "PreviewApplicationClaims" },
);
export const PreviewApiClaims = Type.Object(
  { ...asked, claim_mappings: Type.Optional(NewApiClaimMappings) },
  { $id: "PreviewApiClaims" },
);
export const ApplicationClaimsPreview = Type.Object(
  { id_token: claims(USER), userinfo: claims(USER), claims: Outcomes },
  { $id: "ApplicationClaimsPreview" },
);
export const ApiClaimsPreview = Type.Object(
  { access_token: claims(USER), introspection: claims(USER), claims: Outcomes },
  { $id: "ApiClaimsPreview" },
);

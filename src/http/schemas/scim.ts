import { Type } from "@sinclair/typebox";
import { text } from "./common.ts";

export const ScimErrorBody = Type.Object(
  {
    schemas: Type.Array(Type.String(), { examples: [["urn:ietf:params:scim:api:messages:2.0:Error"]] }),
    status: text("400"),
    scimType: Type.Optional(text("invalidValue")),
    detail: text("displayName is required."),
  },
  { $id: "ScimError" },
);

export const ScimResource = Type.Object(
  { schemas: Type.Array(Type.String(), { examples: [["urn:ietf:params:scim:schemas:core:2.0:User"]] }) },
  { $id: "ScimResource", additionalProperties: true, description: "A resource or list of RFC 7643 and 7644" },
);

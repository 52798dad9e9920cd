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

const LIST_PARAMETERS = {
  filter: Type.Optional(Type.String({ description: "RFC 7644, section 3.4.2.2", examples: ['userName eq "ada"'] })),
  startIndex: Type.Optional(Type.Integer({ description: "Position of the first resource, from 1", examples: [1] })),
  count: Type.Optional(Type.Integer({ description: "At most 200; default 100", examples: [100] })),
  cursor: Type.Optional(
    Type.String({ description: "Empty for the first page, then `nextCursor` (RFC 9865)", examples: [""] }),
  ),
};

const names = (description: string) => ({ description, examples: ["userName"] });
const PROJECTION_PARAMETERS = {
  attributes: Type.Optional(Type.String(names("The attributes to return, separated by commas"))),
  excludedAttributes: Type.Optional(Type.String(names("The attributes to leave out, separated by commas"))),
};

export const ScimProjection = Type.Object(PROJECTION_PARAMETERS);
export const ScimListQuery = Type.Object({ ...LIST_PARAMETERS, ...PROJECTION_PARAMETERS });

const schemasOf = (schema: string) => Type.Array(Type.String(), { examples: [[schema]] });
const listOf = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { description, examples: [["userName"]] }));

export const ScimSearch = Type.Object(
  {
    schemas: schemasOf("urn:ietf:params:scim:api:messages:2.0:SearchRequest"),
    ...LIST_PARAMETERS,
    attributes: listOf("The attributes to return"),
    excludedAttributes: listOf("The attributes to leave out"),
  },
  { $id: "ScimSearch" },
);

export const ScimPatch = Type.Object(
  {
    schemas: schemasOf("urn:ietf:params:scim:api:messages:2.0:PatchOp"),
    Operations: Type.Array(
      Type.Object({
        op: text("replace"),
        path: Type.Optional(text("active")),
        value: Type.Optional(Type.Unknown({ description: "A value of the attribute", examples: [false] })),
      }),
    ),
  },
  { $id: "ScimPatch" },
);

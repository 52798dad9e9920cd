import { Type } from "@sinclair/typebox";
import { SAML_METADATA_MAX_BYTES } from "../../limits/saml-limits.ts";
import { SSO_ENTITY_ID_MAX_CHARACTERS, SSO_URL_MAX_CHARACTERS } from "../../limits/sso-limits.ts";
import { oneOf } from "./common.ts";
import { ConnectionItem } from "./sso-connections.ts";
import { LeftOutCertificates } from "./sso-metadata-report.ts";

export const ImportMetadataBody = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        documented: { format: "uri", maxLength: SSO_URL_MAX_CHARACTERS },
        description: "default, without `xml`: `metadata_url` of the connection",
        examples: ["https://idp.example.com/metadata"],
      }),
    ),
    xml: Type.Optional(
      Type.String({ documented: { maxLength: SAML_METADATA_MAX_BYTES }, examples: ["<EntityDescriptor …/>"] }),
    ),
    entity_id: Type.Optional(
      Type.String({
        documented: { maxLength: SSO_ENTITY_ID_MAX_CHARACTERS },
        description: "the identity provider to read from metadata with several",
        examples: ["https://idp.example.com"],
      }),
    ),
    apply: Type.Optional(Type.Boolean({ default: false, description: "false: a preview", examples: [false] })),
    unlink_identities: Type.Optional(
      Type.Boolean({ default: false, description: "permits another entity id; unlinks all users", examples: [false] }),
    ),
  },
  { $id: "ImportSsoMetadataRequest" },
);

const values = Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()], {
  description: "certificates as SHA-256 fingerprints",
  examples: ["https://idp.example.com"],
});

export const MetadataPreview = Type.Object(
  {
    changes: Type.Array(
      Type.Object(
        {
          field: oneOf(["entity_id", "sso_url", "slo_url", "request_binding", "certificates"]),
          from: values,
          to: values,
        },
        { $id: "SsoMetadataChange" },
      ),
      { description: "empty: the connection has the settings of the metadata" },
    ),
    left_out: LeftOutCertificates,
    applied: Type.Boolean({ examples: [false] }),
    connection: ConnectionItem,
  },
  { $id: "SsoMetadataImport" },
);

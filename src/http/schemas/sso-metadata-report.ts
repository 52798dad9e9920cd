/** Reports about readings of metadata (docs/contract.md, section 29.32). */
import { Type } from "@sinclair/typebox";
import { LEFT_OUT_REASONS } from "../../base/certificate-text.ts";
import { nullable, oneOf, Timestamp, text } from "./common.ts";

export const LeftOutCertificates = Type.Array(
  Type.Object(
    {
      reason: oneOf(LEFT_OUT_REASONS),
      sha256: Type.Optional(text("9f86d081884c7d65…", "SHA-256 of the DER form; absent: unreadable")),
      bits: Type.Optional(Type.Integer({ description: "the length of a short RSA key", examples: [1024] })),
    },
    { $id: "SsoLeftOutCertificate" },
  ),
  { description: "certificates of the metadata or of a change without use", examples: [[]] },
);

export const MetadataReportItem = Type.Object(
  {
    read_at: Timestamp,
    problem: nullable(Type.String(), { description: "why the metadata could not be read", examples: [null] }),
    left_out: LeftOutCertificates,
  },
  { $id: "SsoMetadataReport" },
);

import { Type } from "@sinclair/typebox";
import { METADATA_MAX_BYTES } from "../../limits/metadata-limits.ts";

const BOUND = `at most ${METADATA_MAX_BYTES} bytes of JSON`;

function metadata(description: string) {
  return Type.Record(Type.String(), Type.Unknown(), { description, examples: [{ plan: "gold" }] });
}

const publicMetadata = metadata(`readable by members and applications; ${BOUND}`);
const privateMetadata = metadata(`for administrators and API keys; ${BOUND}`);

export const MetadataItem = Type.Object(
  { public_metadata: publicMetadata, private_metadata: Type.Optional(privateMetadata) },
  { $id: "Metadata" },
);

const MERGED = "merged by member; null deletes a member (RFC 7396)";
export const ChangeMetadataBody = Type.Object(
  {
    public_metadata: Type.Optional({ ...publicMetadata, description: MERGED }),
    private_metadata: Type.Optional({ ...privateMetadata, description: MERGED }),
  },
  { $id: "ChangeMetadata" },
);

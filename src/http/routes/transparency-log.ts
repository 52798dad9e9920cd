import { ok } from "../../base/result.ts";
import type { AuditDeps } from "../../deps.ts";
import { readCheckpoint, readTile } from "../../flows/audit/read-log.ts";
import { CHECKPOINT_CACHE_SECONDS } from "../../limits/audit-limits.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { bytesReply, textReply } from "../reply.ts";
import { CheckpointQuery, TilePath } from "../schemas/admin.ts";

const tag = "Audit";
const CHECKPOINT_EXAMPLE =
  "auth.acme.test/v1/audit-log/1f2e3d4c\n4711\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n" +
  "\u2014 auth.acme.test/v1/audit-log/1f2e3d4c tIDeBQ\u2026\n";

const CHECKPOINT_HEADERS = {
  "cache-control": `public, max-age=${CHECKPOINT_CACHE_SECONDS}`,
  "access-control-allow-origin": "*",
};
/** A named tile never changes: a partial tile has a separate path for each width. */
const IMMUTABLE_TILE_HEADERS = { ...CHECKPOINT_HEADERS, "cache-control": "public, max-age=31536000, immutable" };

/** The transparency log of the audit trail: docs/contract.md, section 17.6. */
export function transparencyLogRoutes(deps: AuditDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/audit-log/checkpoint",
      operationId: "getAuditCheckpoint",
      docs: { clientMethod: "auditLog.checkpoint", section: "17.6" },
      tag,
      summary: "Get the checkpoint of the transparency log",
      description:
        "Name, size and root of the log of the audit trail, signed (c2sp.org/tlog-checkpoint). With `cosigned=true` " +
        "the newest checkpoint with cosignatures of witnesses.",
      auth: "none",
      limits: { address: "public_reads" },
      input: { query: CheckpointQuery },
      responses: {
        200: {
          description: "The newest checkpoint",
          contentType: "text/plain",
          headers: ["Cache-Control", "X-Service-Audit-Cosignatures"],
          example: CHECKPOINT_EXAMPLE,
        },
      },
      problems: ["not_found"],
      handle({ query }) {
        const checkpoint = readCheckpoint(deps, query.cosigned === "true");
        if (!checkpoint.ok) return checkpoint;
        const { note, cosignatures } = checkpoint.value;
        const headers = { ...CHECKPOINT_HEADERS, "x-service-audit-cosignatures": String(cosignatures) };
        return ok(textReply(200, "text/plain; charset=utf-8", note, { headers }));
      },
    }),
    endpoint({
      method: "GET",
      path: "/audit-log/tile/:path",
      input: { restOfPath: true, textParameters: true },
      docs: { clientMethod: "auditLog.tile", section: "17.6", params: { path: TilePath } },
      operationId: "getAuditTile",
      tag,
      summary: "Get a tile of the transparency log",
      description:
        "Hashes of the tree, 32 bytes each (c2sp.org/tlog-tiles). Hashes reveal no record. Immutable where the " +
        "path names the log, as tile_uri of the discovery document does.",
      auth: "none",
      limits: { address: "public_reads" },
      responses: {
        200: {
          description: "1 to 256 hashes",
          contentType: "application/octet-stream",
          headers: ["Cache-Control"],
          example: "(bytes of the hashes)",
        },
      },
      problems: ["not_found"],
      async handle({ params }) {
        const tile = await readTile(deps, params.path);
        if (!tile.ok) return tile;
        const headers = tile.value.immutable ? IMMUTABLE_TILE_HEADERS : CHECKPOINT_HEADERS;
        return ok(bytesReply(200, "application/octet-stream", tile.value.hashes, { headers }));
      },
    }),
  ];
}

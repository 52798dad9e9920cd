/** Metadata of members and organizations (docs/contract.md, section 34.2). */
import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { METADATA_MAX_BYTES } from "../../limits/metadata-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import type { JsonObject, Metadata } from "../../models/conditions/stored-metadata.ts";
import {
  findMetadata,
  lockMetadata,
  type MetadataOwner,
  mergeMetadata,
  metadataFlaw,
  updateMetadata,
} from "../../models/metadata/metadata.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { refuseProtected } from "../steps/authorization/protected-users.ts";
import type { MetadataCaller } from "./authorize-metadata.ts";

const NO_SUCH_MEMBER = refusal("not_found", "There is no such member.");
const FLAW_TEXTS = {
  format: "must not contain NUL",
  too_long: `at most ${METADATA_MAX_BYTES} bytes of JSON`,
} as const;

/** Metadata within reach of a reader: private metadata only for administrators and keys. */
export type ReadableMetadata = Pick<Metadata, "publicMetadata"> & Partial<Pick<Metadata, "privateMetadata">>;

/** GET /v1/orgs/:org_id/metadata and …/members/:user_id/metadata. */
export async function readMetadata(
  deps: Pick<Deps, "database">,
  { caller, readsPrivate }: MetadataCaller,
  userId?: string,
): Promise<Result<ReadableMetadata, Refusal<"not_found">>> {
  const owner = ownerOf(caller, userId);
  const metadata = await deps.database.run("metadata.find", (sql) => findMetadata(sql, owner));
  if (!metadata) return err(NO_SUCH_MEMBER);
  return ok(readsPrivate ? metadata : { publicMetadata: metadata.publicMetadata });
}

export interface MetadataChange {
  /** Undefined: unchanged. */
  readonly publicMetadata: JsonObject | undefined;
  /** Undefined: unchanged. */
  readonly privateMetadata: JsonObject | undefined;
}

interface ChangeMetadataInput {
  /** May write. */
  readonly caller: MetadataCaller["caller"];
  /** Undefined: of the organization. */
  readonly userId?: string;
  readonly change: MetadataChange;
  readonly client: RequestContext;
}

/** PATCH /v1/orgs/:org_id/metadata and …/members/:user_id/metadata: merges; a member with null is deleted. */
export async function changeMetadata(
  deps: Pick<Deps, "clock" | "database" | "random">,
  { caller, userId, change, client }: ChangeMetadataInput,
): Promise<Result<Metadata, Refusal<"forbidden" | "invalid_input" | "not_found">>> {
  const owner = ownerOf(caller, userId);
  return await deps.database.transaction("metadata.update", async (sql) => {
    const unprotected = await refuseProtected(sql, caller, userId === undefined ? [] : [userId]);
    if (!unprotected.ok) return unprotected;
    const before = await lockMetadata(sql, owner);
    if (!before) return err(NO_SUCH_MEMBER);
    const after = {
      publicMetadata: mergeMetadata(before.publicMetadata, change.publicMetadata ?? {}),
      privateMetadata: mergeMetadata(before.privateMetadata, change.privateMetadata ?? {}),
    };
    const valid = validateMetadata(after);
    if (!valid.ok) return valid;
    await updateMetadata(sql, owner, after);
    // The record names the changed objects, and no content: the audit trail is readable by more users.
    const fields = [change.publicMetadata && "public_metadata", change.privateMetadata && "private_metadata"];
    const entry = userAuditEvent(deps, caller.actor, client, {
      action: userId === undefined ? "organization.metadata_updated" : "member.metadata_updated",
      at: new Date(deps.clock.now()),
      resource:
        userId === undefined ? { type: "organization", id: caller.organizationId } : { type: "user", id: userId },
      metadata: { fields: fields.filter(Boolean).join(" ") },
    });
    await recordAudit(sql, entry);
    return ok(after);
  });
}

function ownerOf({ organizationId }: MetadataCaller["caller"], userId: string | undefined): MetadataOwner {
  return userId === undefined ? { organizationId } : { organizationId, userId };
}

function validateMetadata(metadata: Metadata): Result<void, Refusal<"invalid_input">> {
  const fields = [
    ["public_metadata", metadata.publicMetadata],
    ["private_metadata", metadata.privateMetadata],
  ] as const;
  for (const [field, value] of fields) {
    const flaw = metadataFlaw(value);
    if (flaw) return err(invalidInput(field, flaw, FLAW_TEXTS[flaw]));
  }
  return ok(undefined);
}

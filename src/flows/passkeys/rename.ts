import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import { type Passkey, renamePasskey } from "../../models/passkey/passkey.ts";
import type { SessionView } from "../../models/session/session.ts";

export interface RenameInput {
  readonly caller: SessionView;
  readonly id: string;
  /** Normalised. */
  readonly name: string;
}

/** PATCH /v1/users/me/passkeys/:id (docs/contract.md, section 9.9). A name is no credential: no audit record. */
export async function renameOwnPasskey(
  deps: StoreDeps,
  { caller, id, name }: RenameInput,
): Promise<Result<Passkey, Refusal<"not_found">>> {
  const renamed = await deps.database.run("passkey.rename", (sql) =>
    renamePasskey(sql, { id, userId: caller.userId, name }),
  );
  return renamed ? ok(renamed) : err(refusal("not_found", "There is no such passkey."));
}

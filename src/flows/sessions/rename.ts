import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { reachOf, renameSession, type SessionView } from "../../models/session/session.ts";
import { withOrigin } from "../steps/sessions/describe-origin.ts";
import type { SessionOfCaller } from "./list.ts";

export interface RenameInput {
  readonly caller: SessionView;
  readonly id: string;
  /** Normalised; null removes the name. */
  readonly name: string | null;
}

/** PATCH /v1/auth/sessions/:id (docs/contract.md, section 7.10). A name is no credential: no audit record. */
export async function renameOwnSession(
  deps: StoreDeps & Pick<Deps, "geolocation">,
  { caller, id, name }: RenameInput,
): Promise<Result<SessionOfCaller, Refusal<"not_found">>> {
  const at = new Date(deps.clock.now());
  const renamed = await deps.database.run("session.rename", (sql) =>
    renameSession(sql, { id, reach: reachOf(caller), name }, at),
  );
  if (!renamed) return err(refusal("not_found", "There is no such session."));
  return ok({ ...withOrigin(deps, renamed), current: renamed.id === caller.id });
}

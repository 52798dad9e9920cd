import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { RevocationFeed } from "../../models/session/revocation-cache.ts";

/** See `cursorOf`. Cursors of versions before 0.2 were shorter. */
const CURSOR = /^\d{1,19}$/;

/** GET /.well-known/service-revocations.json (docs/contract.md, section 18.3). */
export async function readRevocations(
  deps: Pick<Deps, "revocations">,
  since: string | undefined,
): Promise<Result<RevocationFeed, Refusal<"invalid_input">>> {
  if (since !== undefined && !CURSOR.test(since)) {
    return err(invalidInput("since", "format", "not a cursor of this feed"));
  }
  return ok(await deps.revocations.feed(since));
}

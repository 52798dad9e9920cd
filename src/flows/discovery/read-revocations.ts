import type { RevocationFeed } from "../../actors/revocations.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";

/** A cursor is a transaction id of Postgres: an unsigned 64-bit number. */
const CURSOR = /^\d{1,19}$/;

/** GET /.well-known/service-revocations.json (decisions, section 10). Refuses with `invalid_input` for what is no cursor. */
export async function readRevocations(
  deps: Pick<Deps, "revocations">,
  since: string | undefined,
): Promise<Result<RevocationFeed>> {
  if (since !== undefined && !CURSOR.test(since))
    return err(refusal("invalid_input", "since: not a cursor of this feed"));
  return ok(await deps.revocations.feed(since));
}

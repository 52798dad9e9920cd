import type { KeyView } from "../../../models/service-account/api-key.ts";
import type { CallerCredential } from "../credentials/lock-credential.ts";

/** The credential of a program, which a transaction locks and validates again. */
export function programCredential({ id, kind }: Pick<KeyView, "id" | "kind">): CallerCredential {
  return { kind: kind ?? "api_key", id };
}

import { NOT_SIGNED_IN, type Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { lockLiveKey } from "../../../models/service-account/api-key.ts";
import { lockLiveTrust } from "../../../models/service-account/trust.ts";
import { lockLiveSession } from "../../../models/session/acting-session.ts";
import { lockBegunSetupLink } from "../../../models/setup-link/setup-link.ts";

/** The credential with which a request was authenticated. */
export type CallerCredential =
  | { readonly kind: "session"; readonly id: string; readonly userId: string }
  | { readonly kind: "api_key" | "trust"; readonly id: string }
  | { readonly kind: "setup_link"; readonly id: string };

/** Whether a request was made by a program: with a key or a trust of a service account, or a token of one of these. */
export function isProgramCredential({ kind }: CallerCredential): boolean {
  return kind === "api_key" || kind === "trust";
}

/** The id of the key or trust of a program, whose end ends what the program made; null: a user or a set-up link. */
export function programCredentialId(credential: CallerCredential): string | null {
  return isProgramCredential(credential) ? credential.id : null;
}

/**
 * Runs inside a transaction that creates a credential: validates the caller's own credential again and locks the row. A
 * controlling proof either ended the caller's credential first, and no credential is created; or waits, and then finds
 * the created credential.
 */
export async function lockCredential(
  sql: Sql,
  credential: CallerCredential,
  at: Date,
): Promise<Result<void, Refusal<"authentication_required">>> {
  return (await lockLive(sql, credential, at)) ? ok(undefined) : err(NOT_SIGNED_IN);
}

async function lockLive(sql: Sql, credential: CallerCredential, at: Date): Promise<boolean> {
  if (credential.kind === "session") return await lockLiveSession(sql, credential, at);
  if (credential.kind === "trust") return await lockLiveTrust(sql, credential.id);
  if (credential.kind === "api_key") return await lockLiveKey(sql, credential.id, at);
  return (await lockBegunSetupLink(sql, credential.id, at)) !== undefined;
}

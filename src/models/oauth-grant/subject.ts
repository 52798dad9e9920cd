import { createHmac } from "node:crypto";

/** Whom a client's tokens name the user to. */
export interface SubjectRule {
  readonly subjectType: "public" | "pairwise";
  readonly sector: string | null;
}

/**
 * The `sub` of a user at a client (OpenID Connect Core, section 8): the user's identifier, or one that only clients of
 * the same sector share. `key`: secret of this deployment, without which a subject reveals no user.
 */
export function subjectOf(key: Buffer, { subjectType, sector }: SubjectRule, userId: string): string {
  if (subjectType === "public" || sector === null) return userId;
  return createHmac("sha256", key).update(`oauth subject\n${sector}\n${userId}`).digest("base64url");
}

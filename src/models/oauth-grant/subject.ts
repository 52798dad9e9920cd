import { createHmac } from "node:crypto";

/** The settings of a client that decide the subject of its users. */
export interface SubjectRule {
  readonly subjectType: "public" | "pairwise";
  readonly sector: string | null;
}

/**
 * The `sub` of a user at a client (OpenID Connect Core, section 8): the user's identifier, or an identifier that only
 * clients of one sector share. `key`: secret of this deployment, without which a subject reveals no user.
 */
export function subjectOf(key: Buffer, { subjectType, sector }: SubjectRule, userId: string): string {
  if (subjectType === "public" || sector === null) return userId;
  return createHmac("sha256", key).update(`oauth subject\n${sector}\n${userId}`).digest("base64url");
}

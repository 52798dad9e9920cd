import { invalidInput } from "../../../base/invalid-input.ts";
import { refusal } from "../../../base/problem.ts";
import type { AuditEntry } from "../../../models/audit/audit.ts";

export const REGISTRATION_CLOSED = {
  ...refusal("forbidden", "Registration is closed."),
  reason: "registration_closed",
} as const;

/** A rule about a domain says nothing about an account: the response may name the rule. */
export const DOMAIN_REFUSED = {
  ...invalidInput("email", "not_allowed", "addresses of this domain cannot register"),
  reason: "domain_refused",
} as const;

/** The metadata of `auth.register`: a user without a team, and the application of the registration. */
export function registrationMetadata({
  isPersonal,
  clientId,
}: {
  readonly isPersonal: boolean;
  readonly clientId?: string | null | undefined;
}): AuditEntry["metadata"] {
  return { ...(isPersonal ? { kind: "personal" } : {}), ...(clientId ? { client_id: clientId } : {}) };
}

import { endTrustsOf } from "../sessions/end-user-access.ts";
import type { CredentialKind } from "./credential-kind.ts";

/** The trusts of service accounts in external issuers. */
export const TRUSTS = {
  tables: ["service_account_trusts"],
  tokens: [],
  record: { action: "service_account.trust_deleted", resourceType: "service_account" },
  summary: "nonzero",
  isNoticed: true,
  servesOrganization: true,
  afterReset: "listed",
  remove: (deps, sql, { userId, organizationId, reason, period, client, at }) => {
    const actor = { userId, organizationId };
    return endTrustsOf(deps, sql, { userId, at, reason, actor, client }, { managedOnly: false, period });
  },
} as const satisfies CredentialKind;

import type { KeyView } from "../../../models/service-account/api-key.ts";
import type { Actor } from "./audit-event.ts";

/**
 * The actor of a program in audit records: the API key, or the service account that presents an access token, with the
 * key or trust of the token (docs/contract.md, section 17.1).
 */
export function programActor(
  key: Pick<KeyView, "id" | "isToken" | "kind" | "organizationId" | "serviceAccountId">,
): Actor {
  const { id, organizationId, serviceAccountId, isToken, kind = "key" } = key;
  if (!isToken) return { userId: id, organizationId, type: "api_key" };
  return { userId: serviceAccountId, organizationId, type: "service_account", credential: `${kind}:${id}` };
}

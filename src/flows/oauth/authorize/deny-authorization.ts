import { oauthRefusal } from "../../../base/oauth-problem.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { consumeRequest } from "../../../models/oauth-request/oauth-request.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { type AuthorizationResponse, errorResponse } from "./authorization-response.ts";
import type { AuthorizeDeps, Authorized } from "./respond-with-code.ts";

/** The user declines: the application is told (RFC 6749, section 4.1.2.1). */
export async function denyAuthorization(
  deps: AuthorizeDeps,
  { request, client, session, requestContext, handleHash }: Authorized & { readonly handleHash: Buffer },
): Promise<AuthorizationResponse> {
  const event = userAuditEvent(deps, session, requestContext, {
    action: "oauth.consent.denied",
    at: new Date(deps.clock.now()),
    resource: { type: "oauth_client", id: client.id },
  });
  await deps.database.run("oauth_request.deny", async (sql) => {
    await sql`
      with consumed as (${consumeRequest(sql, handleHash)}) ${insertAudit(sql, event, sql`from consumed`)}`;
  });
  return await errorResponse(deps, request, oauthRefusal("access_denied", "The user did not allow this."));
}

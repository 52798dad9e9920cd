/** Responses without a code to waiting authorization requests. */
import type { OAuthRefusal } from "../../../base/oauth-problem.ts";
import { hashOpaqueToken } from "../../../base/opaque-token.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { consumeRequest, consumeSilentRequest } from "../../../models/oauth-request/oauth-request.ts";
import { type AuthorizationResponse, errorResponse } from "./authorization-response.ts";
import { clientOf } from "./authorize.ts";
import { LOGIN_REQUIRED } from "./decide-authorization.ts";
import { type AuthorizeDeps, type FoundRequest, NO_REQUEST } from "./respond-with-code.ts";

/**
 * The response without a code to a request with `prompt=none`; consumes the request. The response does not require the
 * cookie: in a frame of an application, a browser that blocks third-party cookies sends no cookie, and the application
 * learns that no user is signed in.
 */
export async function refuseSilently(
  deps: AuthorizeDeps,
  handle: string,
  refusal: OAuthRefusal = LOGIN_REQUIRED,
): Promise<Result<AuthorizationResponse, OAuthRefusal>> {
  const handleHash = hashOpaqueToken(handle);
  if (!handleHash) return err(NO_REQUEST);
  const at = new Date(deps.clock.now());
  const request = await deps.database.run("oauth_request.refuse", (sql) =>
    consumeSilentRequest(sql, { handleHash, at }),
  );
  return request && (await clientOf(deps, request)) ? ok(await errorResponse(deps, request, refusal)) : err(NO_REQUEST);
}

/** Consumes a request of this browser and responds with a problem. */
export async function refuseRequest(
  deps: AuthorizeDeps,
  { request, handleHash }: FoundRequest,
  refusal: OAuthRefusal,
): Promise<Result<AuthorizationResponse, OAuthRefusal>> {
  const consumed = await deps.database.run("oauth_request.refuse", (sql) => sql`${consumeRequest(sql, handleHash)}`);
  return consumed.length > 0 ? ok(await errorResponse(deps, request, refusal)) : err(NO_REQUEST);
}

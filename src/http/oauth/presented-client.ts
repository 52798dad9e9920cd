import type { oauthRefusal } from "../../base/oauth-problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { ok, type Result } from "../../base/result.ts";
import type { ClientCredentials } from "../../flows/oauth/request/authenticate-client.ts";
import { readParameters } from "../../flows/oauth/request/parameters.ts";

/** The credentials and parameters of a client in a form. A repeated parameter is `invalid_request`. */
export function readPresented(
  request: Request,
  search: URLSearchParams,
  requestContext: RequestContext,
): Result<ClientCredentials, ReturnType<typeof oauthRefusal>> {
  const parameters = readParameters(search);
  if (!parameters.ok) return parameters;
  return ok({
    authorization: request.headers.get("authorization"),
    parameters: parameters.value,
    requestContext,
    endpointPath: new URL(request.url).pathname,
  });
}

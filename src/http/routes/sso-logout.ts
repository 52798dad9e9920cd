import { err, ok } from "../../base/result.ts";
import { endSessionsByProvider } from "../../flows/sso/sign-in/backchannel-logout.ts";
import type { SsoDeps } from "../../flows/sso/sign-in/connection.ts";
import { SSO_LOGOUT_RETRY_SECONDS } from "../../limits/sso-sign-in-limits.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { envelope } from "../problem-status.ts";
import { reply } from "../reply.ts";
import { ErrorEnvelope } from "../schemas/common.ts";
import { BackchannelLogoutForm } from "../schemas/sso-logout.ts";

const RETRY = { "retry-after": String(SSO_LOGOUT_RETRY_SECONDS) };

/** docs/contract.md, section 29.22. */
export function ssoLogoutRoutes(deps: SsoDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/auth/sso/:connection_id/backchannel-logout",
      operationId: "endSsoSessions",
      docs: { clientMethod: null, section: "29.22", access: "the identity provider, by a logout token" },
      tag: "Single sign-on",
      summary: "End sessions that the identity provider ended",
      description: "OpenID Connect Back-Channel Logout 1.0. A token counts once.",
      auth: "none",
      limits: { address: "oauth" },
      input: { body: BackchannelLogoutForm, bodyType: "form" },
      responses: {
        200: { description: "The sessions of the token are ended, or no session was live" },
        503: {
          description: "The keys of the identity provider are unreachable; the token remains valid",
          schema: ErrorEnvelope,
          headers: ["Retry-After"],
        },
      },
      problems: ["not_found"],
      async handle({ params, body, client }) {
        const ended = await endSessionsByProvider(deps, {
          connectionId: params.connection_id,
          logoutToken: body.logout_token,
          client,
        });
        if (ended.ok) return ok(reply(200, undefined));
        const { error } = ended;
        if (error.code !== "internal_error") return err({ ...error, code: error.code });
        return ok({ ...reply(503, envelope(error), { headers: RETRY }), refused: error });
      },
    }),
  ];
}

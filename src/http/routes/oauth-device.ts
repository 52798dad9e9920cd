/** Sign-in on devices without a browser (RFC 8628; docs/contract.md, section 23.15). */
import { ok } from "../../base/result.ts";
import { identityOf } from "../../flows/oauth/clients/client-identity.ts";
import { approveDevice, type DecideDeviceDeps, denyDevice } from "../../flows/oauth/device/decide.ts";
import { type FoundDevice, findDeviceByCode } from "../../flows/oauth/device/find-request.ts";
import { type RequestDeviceCodesDeps, requestDeviceCodes } from "../../flows/oauth/device/request-codes.ts";
import { displayedUserCode } from "../../models/oauth-device/user-code.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { applicationBody } from "../oauth/application-body.ts";
import { readPresented } from "../oauth/presented-client.ts";
import { clientRefusalReply } from "../oauth-reply.ts";
import { emptyReply, reply } from "../reply.ts";
import { ApproveDevice, DeviceCodes, DeviceForm, DeviceRequest, FindDevice } from "../schemas/oauth-device.ts";
import { OAuthError } from "../schemas/oauth-provider.ts";

const tag = "OpenID provider";
const NO_PRAGMA = { pragma: "no-cache" };

export function oauthDeviceRoutes(deps: RequestDeviceCodesDeps & DecideDeviceDeps): Endpoint[] {
  return [authorizationRoute(deps), ...decisionRoutes(deps)];
}

function authorizationRoute(deps: RequestDeviceCodesDeps): Endpoint {
  return endpoint({
    method: "POST",
    path: "/oauth2/device_authorization",
    prefixed: false,
    tag,
    auth: "none",
    limits: { address: "oauth" },
    refusals: "oauth",
    crossOrigin: "any",
    operationId: "authorizeDevice",
    docs: { clientMethod: null, section: "23.15", access: "client" },
    summary: "Request the codes of a device",
    description:
      "RFC 8628, section 3.1. The device displays `user_code` and `verification_uri`, and polls the token endpoint " +
      "with `device_code`. The client needs the grant `urn:ietf:params:oauth:grant-type:device_code`.",
    input: { body: DeviceForm, bodyType: "form" },
    responses: {
      200: { description: "The codes", schema: DeviceCodes },
      400: { description: "`invalid_scope`, `invalid_target` or `unauthorized_client`", schema: OAuthError },
      401: { description: "`invalid_client`", schema: OAuthError, headers: ["WWW-Authenticate"] },
      429: { description: "`temporarily_unavailable`", schema: OAuthError, headers: ["Retry-After"] },
    },
    problems: [],
    async handle({ request, parameters, client }) {
      const presented = readPresented(request, parameters, client);
      if (!presented.ok) return ok(clientRefusalReply(request, presented.error));
      const codes = await requestDeviceCodes(deps, { ...presented.value, requestContext: client });
      if (!codes.ok) return ok(clientRefusalReply(request, codes.error));
      const body = {
        device_code: codes.value.deviceCode,
        user_code: codes.value.userCode,
        verification_uri: codes.value.verificationUri,
        verification_uri_complete: codes.value.verificationUriComplete,
        expires_in: codes.value.expiresInSeconds,
        interval: codes.value.intervalSeconds,
      };
      return ok(reply(200, body, { headers: NO_PRAGMA }));
    },
  });
}

/** The approval for front ends of the deployment; the page `/device` has the same functions. */
function decisionRoutes(deps: DecideDeviceDeps): Endpoint[] {
  const common = {
    tag,
    auth: "own",
    session: { boundSession: "served" },
    limits: { address: "sign_in" },
  } as const;
  return [
    endpoint({
      ...common,
      method: "POST",
      path: "/auth/device",
      operationId: "findDevice",
      docs: { clientMethod: "devices.find", section: "23.15" },
      summary: "Find the device of a user code",
      description:
        "The caller is the only user who can approve or decline the device, until another user sends the code.",
      input: { body: FindDevice },
      responses: { 200: { description: "The waiting device", schema: DeviceRequest } },
      problems: ["not_found"],
      async handle({ caller, body, client }) {
        const found = await findDeviceByCode(deps, { session: caller.session, userCode: body.user_code, client });
        return found.ok ? ok(reply(200, deviceBody(found.value, caller.session.organizationId))) : found;
      },
    }),
    endpoint({
      ...common,
      method: "POST",
      path: "/auth/device/:id/approve",
      operationId: "approveDevice",
      docs: { clientMethod: "devices.approve", section: "23.15" },
      summary: "Approve a device",
      description: "Needs a sign-in or step-up of the last 12 hours. The device receives tokens at the next poll.",
      input: { body: ApproveDevice },
      responses: { 204: { description: "Approved" } },
      problems: ["conflict", "mfa_required", "not_found"],
      async handle({ caller, params, body, client }) {
        const { session } = caller;
        const displayedOrganizationId = body.organization_id?.toLowerCase();
        const input = { session, id: params.id, requestContext: client, displayedOrganizationId };
        const approved = await approveDevice(deps, input);
        return approved.ok ? ok(emptyReply(204)) : approved;
      },
    }),
    endpoint({
      ...common,
      method: "POST",
      path: "/auth/device/:id/deny",
      operationId: "denyDevice",
      docs: { clientMethod: "devices.deny", section: "23.15" },
      summary: "Decline a device",
      responses: { 204: { description: "Declined" } },
      problems: ["not_found"],
      async handle({ caller, params, client }) {
        const denied = await denyDevice(deps, { session: caller.session, id: params.id, requestContext: client });
        return denied.ok ? ok(emptyReply(204)) : denied;
      },
    }),
  ];
}

function deviceBody({ request, client }: FoundDevice, organizationId: string) {
  return {
    id: request.id,
    user_code: displayedUserCode(request.userCode),
    client: applicationBody(identityOf(client)),
    scopes: request.scopes,
    resources: request.resources,
    organization_id: organizationId,
    ip_address: request.ipAddress,
    created_at: request.createdAt.toISOString(),
    expires_at: request.expiresAt.toISOString(),
  };
}

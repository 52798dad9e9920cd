/** The actions of `/device`. */
import type { Refusal } from "../../base/problem.ts";
import { ok } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { approveDevice, type DecideDeviceDeps, denyDevice } from "../../flows/oauth/device/decide.ts";
import { findDeviceByCode } from "../../flows/oauth/device/find-request.ts";
import type { Reply } from "../../http/reply.ts";
import { type ActionInput, actionsOf, ownAccount, type Submission } from "../action.ts";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { type Fields, pathWith, seeOther, seeResult } from "../page.ts";
import { messageOf } from "../problem-messages.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { switchAndDisplay } from "./switch-organization.ts";

export const DEVICE = "/device";

export interface DeviceInput extends ActionInput {
  readonly deps: SignInDeps & DecideDeviceDeps & SignedInUserDeps & Pick<Deps, "oauthResources" | "ssoDirectory">;
  /** Displays a code that the user has not compared with the device. */
  readonly askComparison: (userCode: string) => Promise<Reply>;
}

const { action } = actionsOf<DeviceInput>();

export const findDevice = action({
  step: "code",
  may: ownAccount,
  run: searched,
  reply: (_, { request }) => seeOther(requestPath(request.id)),
  refused: ({ fields, view }, refusal) => refusedCode(view, refusal, codeIn(fields)),
});

/** The code of the address is no proof that the user saw the device. */
export const compareCode = action({
  step: "compare",
  may: ownAccount,
  run: async (request) => (request.fields.has("seen") ? await searched(request) : ok(undefined)),
  reply: ({ askComparison, fields }, found) =>
    found ? seeOther(requestPath(found.request.id)) : askComparison(codeIn(fields)),
  refused: ({ fields, view }, refusal) => refusedCode(view, refusal, codeIn(fields)),
});

export const approveRequest = action({
  step: "approve",
  may: ownAccount,
  at: ({ fields }) => requestPath(fields.text("request")),
  run: ({ deps, caller: session, client, fields }) =>
    approveDevice(deps, { session, id: fields.text("request"), requestContext: client }),
  reply: () => seeResult(DEVICE, "approved"),
  refused: ({ view }, refusal) => (asksStepUp(refusal) ? undefined : refusedCode(view, refusal)),
});

export const denyRequest = action({
  step: "deny",
  may: ownAccount,
  run: ({ deps, caller: session, client, fields }) =>
    denyDevice(deps, { session, id: fields.text("request"), requestContext: client }),
  reply: () => seeResult(DEVICE, "denied"),
  refused: ({ view }, refusal) => refusedCode(view, refusal),
});

/** The application serves the chosen organization. */
export const switchForDevice = action({
  step: "switch",
  may: ownAccount,
  run: () => ok(undefined),
  async reply({ deps, call, fields, user }) {
    const { view } = await user();
    return await switchAndDisplay(deps, call, view, requestPath(fields.text("request")));
  },
});

export const deviceActions = { findDevice, compareCode, approveRequest, denyRequest, switchForDevice };

const USER_CODE_MAX_CHARACTERS = 32;

/** As typed, or as in the address that a device displays. */
export function codeIn(fields: Fields): string {
  return fields.text("user_code").slice(0, USER_CODE_MAX_CHARACTERS).replaceAll("\0", "").trim();
}

export function requestPath(id: string): string {
  return pathWith(DEVICE, { request: id });
}

/** The form of the code after a refusal. */
export function refusedCode(view: View, refusal: Refusal, userCode = ""): FormState {
  const text = messageOf(view, refusal, { not_found: view.t.oauth.device.unknown });
  return { values: { user_code: userCode }, errors: { user_code: text } };
}

function searched({ deps, call, client, fields }: DeviceInput & Submission) {
  return findDeviceByCode(deps, { session: call.caller.session, userCode: codeIn(fields), client });
}

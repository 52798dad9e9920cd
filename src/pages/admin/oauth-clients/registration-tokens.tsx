/** `/admin/registration-tokens`: initial access tokens, with which applications register themselves (RFC 7591). */
import { listTokens } from "../../../flows/oauth/registration/administer-tokens.ts";
import { resultText } from "../../action.ts";
import type { FormState } from "../../components/form.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import type { Page } from "../../page.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { mayAct, showConsole } from "../console.tsx";
import { type ConsoleInput, consoleActionPages, consoleFrame } from "../console-actions.tsx";
import { CLIENTS, REGISTRATION_TOKENS } from "./paths.ts";
import { ALL_TOKENS, deleteToken, registrationTokenActions, tokenValuesIn } from "./registration-token-actions.tsx";
import { RegistrationTokensBody } from "./registration-tokens-view.tsx";

export function registrationTokensPages(deps: SignedInUserDeps): readonly Page[] {
  return consoleActionPages(deps, {
    path: REGISTRATION_TOKENS,
    confirm: { path: "/admin/registration-tokens/confirm" },
    frame: consoleFrame(CLIENTS),
    actions: registrationTokenActions,
    place: () => REGISTRATION_TOKENS,
    defaultQuestion: deleteToken.step,
    get: (input) => show(input, { values: tokenValuesIn(input.call.query) }),
    show,
  });
}

async function show({ deps, call }: ConsoleInput, state: FormState, parts: DisplayedParts = {}) {
  const { title } = call.view.t.registration;
  const { items } = await listTokens(deps, { caller: call.admin, page: ALL_TOKENS });
  const body = (
    <RegistrationTokensBody
      tokens={items}
      mode={deps.config.oauth.registration}
      now={deps.clock.now()}
      acts={mayAct(call.admin)}
      state={state}
      needsStepUp={asksStepUp(parts.refused)}
    />
  );
  const done = resultText(call.view, registrationTokenActions, call.result);
  return showConsole(call, { at: CLIENTS, inside: true, title, body, done, islands: ["confirm"], ...parts });
}

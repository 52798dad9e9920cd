/** `/admin/registration-tokens`: initial access tokens, with which applications register themselves (RFC 7591). */
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { createToken, listTokens, removeToken } from "../../../flows/oauth-registration/administer-tokens.ts";
import type { PlatformCaller } from "../../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSteppedUpAdmin } from "../../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import { bodyValidator } from "../../../http/read-input.ts";
import type { Reply } from "../../../http/reply.ts";
import { CreateRegistrationToken } from "../../../http/schemas/oauth-registration.ts";
import { REGISTRATION_TOKEN_DAYS_DEFAULT, REGISTRATION_TOKENS_MAX } from "../../../limits/oauth-limits.ts";
import type { RegistrationToken } from "../../../models/oauth-client/registration-token.ts";
import type { FormState } from "../../components/form.tsx";
import { OneTimeSecretView } from "../../components/one-time-secret.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { type Fields, NOTHING_THERE, type Page, seeResult } from "../../page.ts";
import { refusedForm, refusedParts } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { type ConsoleCall, confirmationPage, consolePage, mayAct, refuseConsole, showConsole } from "../console.tsx";
import { CLIENTS } from "./page.tsx";
import { REGISTRATION_TOKENS, RegistrationTokensBody } from "./registration-tokens-view.tsx";

const ALL = { page: 1, pageSize: REGISTRATION_TOKENS_MAX } as const;
const validateNew = bodyValidator(CreateRegistrationToken);

function registrationTokensSpec(deps: SignedInUserDeps) {
  const show = async (call: ConsoleCall, state: FormState, parts: DisplayedParts = {}) => {
    const { title, deleted } = call.view.t.registration;
    const { items } = await listTokens(deps, { caller: call.admin, page: ALL });
    const body = (
      <RegistrationTokensBody
        tokens={items}
        mode={deps.config.oauth.registration}
        now={deps.clock.now()}
        acts={mayAct(call.admin)}
        state={state}
        needsStepUp={parts.refused?.code === "mfa_required"}
      />
    );
    const done = call.result === "deleted" ? deleted : undefined;
    return showConsole(call, { at: CLIENTS, inside: true, title, body, done, islands: ["confirm"], ...parts });
  };
  return {
    path: REGISTRATION_TOKENS,
    get: (call: ConsoleCall) => show(call, { values: valuesOf(call.query) }),
    async post(call: ConsoleCall) {
      const authorized = await authorizeSteppedUpAdmin(deps, call.caller.session);
      const outcome = authorized.ok ? await act(deps, call, authorized.value) : authorized;
      if (outcome.ok) return outcome.value;
      const { error } = outcome;
      const isForm = call.form.text("step") === "create";
      if (!isForm || (error.code === "forbidden" && !asksStepUp(error)))
        return refuseConsole(call, error, REGISTRATION_TOKENS);
      const values = valuesOf(call.form);
      const { full } = call.view.t.registration;
      const state = asksStepUp(error) ? { values } : refusedForm(call.view, error, values, { conflict: full });
      return await show(call, state, refusedParts(error));
    },
  };
}

export function registrationTokensPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, registrationTokensSpec(deps));
}

function valuesOf(form: Fields): Record<string, string> {
  return {
    name: form.text("name"),
    max_uses: form.text("max_uses") || "1",
    expires_in_days: form.text("expires_in_days") || String(REGISTRATION_TOKEN_DAYS_DEFAULT),
  };
}

/** Creates or deletes a token. Only the response to the form contains the text of a new token. */
async function act(deps: SignedInUserDeps, call: ConsoleCall, caller: PlatformCaller): Promise<Result<Reply, Refusal>> {
  const { form, client, view } = call;
  if (form.text("step") === "delete") {
    const removed = await removeToken(deps, { caller, client, id: form.text("id") });
    return removed.ok ? ok(seeResult(REGISTRATION_TOKENS, "deleted")) : removed;
  }
  if (form.text("step") !== "create") return err(NOTHING_THERE);
  const { name, max_uses: maxUses, expires_in_days: days } = valuesOf(form);
  const body = validateNew({ name, max_uses: Number(maxUses), expires_in_days: Number(days) });
  if (!body.ok) return body;
  const { max_uses: uses = 1, expires_in_days: lifetimeDays = REGISTRATION_TOKEN_DAYS_DEFAULT } = body.value;
  const created = await createToken(deps, { caller, client, name: body.value.name, maxUses: uses, lifetimeDays });
  if (!created.ok) return created;
  const title = view.t.registration.createdTitle;
  const displayed = <OneTimeSecretView title={title} secret={created.value.text} next={REGISTRATION_TOKENS} />;
  return ok(showConsole(call, { at: CLIENTS, inside: true, title, body: displayed, islands: ["recovery-codes"] }));
}

/** `/admin/registration-tokens/confirm`: asks before a token is deleted. */
export function confirmRegistrationTokensPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: `${REGISTRATION_TOKENS}/confirm`,
    async get(call) {
      const { removeTitle, removeText, remove } = call.view.t.registration;
      const { items } = await listTokens(deps, { caller: call.admin, page: ALL });
      const id = call.query.text("id");
      const token: RegistrationToken | undefined = items.find((each) => each.id === id);
      if (!token) return refuseConsole(call, NOTHING_THERE, REGISTRATION_TOKENS);
      const question = { title: removeTitle({ name: token.name }), text: removeText, action: remove };
      return confirmationPage(call, { at: CLIENTS, place: REGISTRATION_TOKENS, step: "delete", id, ...question });
    },
  });
}

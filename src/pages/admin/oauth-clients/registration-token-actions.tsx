/** The actions of `/admin/registration-tokens`. */
import { createToken, listTokens, removeToken } from "../../../flows/oauth/registration/administer-tokens.ts";
import { bodyValidator } from "../../../http/input/read-input.ts";
import { CreateRegistrationToken } from "../../../http/schemas/oauth-registration.ts";
import { REGISTRATION_TOKEN_DAYS_DEFAULT, REGISTRATION_TOKENS_MAX } from "../../../limits/oauth-limits.ts";
import { actionsOf } from "../../action.ts";
import { OneTimeSecretView } from "../../components/one-time-secret.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { Fields } from "../../page.ts";
import { refusedForm } from "../../problem-messages.ts";
import { showConsole } from "../console.tsx";
import { type ConsoleInput, platformCaller, steppedUpAdmin } from "../console-actions.tsx";
import { CLIENTS, REGISTRATION_TOKENS } from "./paths.ts";

const { action, asks, confirmed } = actionsOf<ConsoleInput>();

export const ALL_TOKENS = { page: 1, pageSize: REGISTRATION_TOKENS_MAX } as const;
const validateNew = bodyValidator(CreateRegistrationToken);

/** Only the response to the form contains the text of a new token. */
export const createRegistrationToken = action({
  step: "create",
  may: steppedUpAdmin,
  async run({ deps, caller, client, fields }) {
    const { name, max_uses: maxUses, expires_in_days: days } = tokenValuesIn(fields);
    const body = validateNew({ name, max_uses: Number(maxUses), expires_in_days: Number(days) });
    if (!body.ok) return body;
    const { max_uses: uses = 1, expires_in_days: lifetimeDays = REGISTRATION_TOKEN_DAYS_DEFAULT } = body.value;
    return await createToken(deps, { caller, client, name: body.value.name, maxUses: uses, lifetimeDays });
  },
  reply({ call }, { text }) {
    const title = call.view.t.registration.createdTitle;
    const body = <OneTimeSecretView title={title} secret={text} next={REGISTRATION_TOKENS} />;
    return showConsole(call, { at: CLIENTS, inside: true, title, body, islands: ["recovery-codes"] });
  },
  refused({ fields, view }, refusal) {
    const values = tokenValuesIn(fields);
    if (asksStepUp(refusal)) return { values };
    if (refusal.code === "forbidden") return undefined;
    return refusedForm(view, refusal, values, { conflict: view.t.registration.full });
  },
});

export const deleteToken = confirmed({
  step: "delete",
  may: steppedUpAdmin,
  question: asks(platformCaller, async ({ deps, caller, fields, view: { t } }) => {
    const { items } = await listTokens(deps, { caller, page: ALL_TOKENS });
    const token = items.find(({ id }) => id === fields.text("id"));
    const { remove, removeText, removeTitle } = t.registration;
    return token && { title: removeTitle({ name: token.name }), text: removeText, action: remove };
  }),
  run: ({ deps, caller, client, fields }) => removeToken(deps, { caller, client, id: fields.text("id") }),
  done: ["deleted", ({ t }) => t.registration.deleted],
});

export const registrationTokenActions = { createRegistrationToken, deleteToken };

export function tokenValuesIn(fields: Fields) {
  return {
    name: fields.text("name"),
    max_uses: fields.text("max_uses") || "1",
    expires_in_days: fields.text("expires_in_days") || String(REGISTRATION_TOKEN_DAYS_DEFAULT),
  };
}

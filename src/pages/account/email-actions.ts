/** The actions of `/account/email`. The steps are in the address of the form, too. */
import type { Refusal } from "../../base/problem.ts";
import { err, type Result } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import type { ChangeRequest } from "../../flows/user-emails/authorize-change.ts";
import { removeAddress } from "../../flows/user-emails/remove.ts";
import { requestAddress } from "../../flows/user-emails/request-change.ts";
import { switchPrimaryAddress } from "../../flows/user-emails/switch-primary.ts";
import type { UserEmail } from "../../models/user-email/user-email.ts";
import { type Action, type ActionInput, actionsOf, type Done } from "../action.ts";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { type Fields, NOTHING_THERE, pathWith, uuidIn } from "../page.ts";
import { refusedForm } from "../problem-messages.ts";
import type { SignedInUser, SignedInUserDeps } from "../signed-in-user.ts";
import type { Texts } from "../texts/catalogue.ts";
import { ACCOUNT } from "./account-actions.ts";
import { EMAILS, readOwnEmails } from "./own-emails.ts";

export interface EmailInput extends ActionInput {
  readonly deps: SignInDeps & SignedInUserDeps & Pick<Deps, "reads">;
}

interface FormTexts {
  readonly title: string;
  readonly lead: string;
  readonly action: string;
}

interface EmailSpec {
  readonly step: string;
  /** The action is on an address of the list. */
  readonly isListed: boolean;
  readonly button: "loss" | "primary";
  readonly texts: (t: Texts, email: string) => FormTexts;
  readonly done: Done;
  readonly change: (
    deps: EmailInput["deps"],
    request: ChangeRequest,
    form: { readonly id: string; readonly email: string },
  ) => Promise<Result<unknown, Refusal>>;
}

/** The displayed form: its action, and the address of an action on an address of the list. */
export interface EmailForm {
  readonly spec: Pick<EmailSpec, "button" | "step" | "texts">;
  readonly address: UserEmail | undefined;
  readonly state: FormState;
}

function emailAction(spec: EmailSpec): Action<EmailInput, EmailForm> {
  const { step, isListed, done, change } = spec;
  const find = (input: EmailInput, fields: Fields) => findEmailForm(input, spec, fields);
  return actionsOf<EmailInput, EmailForm>().action({
    step,
    async may({ fields, ...input }) {
      const form = await find(input, fields);
      return form ? await authorizeCredentialChange(input.deps, input.call.caller.session) : err(NOTHING_THERE);
    },
    at: ({ id }) => pathWith(EMAILS, { step, id: isListed ? id : undefined }),
    run({ deps, call, caller: authorized, client, fields, id }) {
      const password = fields.text("password") || undefined;
      const request = { caller: call.caller.session, authorized, password, client };
      return change(deps, request, { id, email: fields.text("email") });
    },
    done,
    doneAt: ACCOUNT,
    async refused({ fields, profile, view, ...input }, refusal) {
      const form = asksStepUp(refusal) ? undefined : await find(input, fields);
      return form && { ...form, state: emailState({ profile, view }, fields, refusal) };
    },
  });
}

const CHANGE: EmailSpec = {
  step: "change",
  isListed: false,
  button: "primary",
  texts: ({ emails }) => ({ title: emails.change, lead: emails.changeLead, action: emails.send }),
  change: (deps, request, { email }) => requestAddress(deps, { ...request, kind: "change", field: "email", email }),
  done: ["email_requested", ({ t }) => t.emails.requested],
};

const ADD: EmailSpec = {
  step: "add",
  isListed: false,
  button: "primary",
  texts: ({ emails }) => ({ title: emails.add, lead: emails.addLead, action: emails.send }),
  change: (deps, request, { email }) => requestAddress(deps, { ...request, kind: "add", field: "email", email }),
  done: ["email_requested", ({ t }) => t.emails.requested],
};

const PRIMARY: EmailSpec = {
  step: "primary",
  isListed: true,
  button: "primary",
  texts: ({ emails }, email) => ({
    title: emails.makePrimaryOf({ email }),
    lead: emails.primaryLead,
    action: emails.makePrimary,
  }),
  change: (deps, request, { id }) => switchPrimaryAddress(deps, { ...request, id }),
  done: ["email_changed", ({ t }) => t.emails.changed],
};

const REMOVE: EmailSpec = {
  step: "remove",
  isListed: true,
  button: "loss",
  texts: ({ common, emails }, email) => ({
    title: emails.removeTitle({ email }),
    lead: emails.removeLead,
    action: common.remove,
  }),
  change: (deps, request, { id }) => removeAddress(deps, { ...request, id }),
  done: ["email_removed", ({ t }) => t.emails.removed],
};

export const changeAddress = emailAction(CHANGE);
export const addAddress = emailAction(ADD);
export const makeAddressPrimary = emailAction(PRIMARY);
export const removeOwnAddress = emailAction(REMOVE);

export const emailActions = { changeAddress, addAddress, makeAddressPrimary, removeOwnAddress };

/** The form of an address of the page; undefined for an unknown step, and for an address of another user. */
export async function emailFormOf(input: EmailInput): Promise<EmailForm | undefined> {
  const { query } = input.call;
  const spec = [CHANGE, ADD, PRIMARY, REMOVE].find(({ step }) => step === query.text("step"));
  return spec && (await findEmailForm(input, spec, query));
}

async function findEmailForm(
  { deps, call }: EmailInput,
  spec: EmailSpec,
  fields: Fields,
): Promise<EmailForm | undefined> {
  if (!spec.isListed) return { spec, address: undefined, state: {} };
  const { items } = await readOwnEmails(deps, call.caller.session);
  const address = items.find(({ id }) => id === uuidIn(fields.text("id")));
  return address && { spec, address, state: {} };
}

/** The state of a refused form. */
export function emailState({ profile, view }: SignedInUser, fields: Fields, refusal: Refusal): FormState {
  const { account, emails } = view.t;
  const values = { email: fields.text("email") };
  if (refusal.code === "authentication_required" && profile.hasPassword) {
    return { values, errors: { password: account.wrongPassword } };
  }
  const { conflict, forbidden, signInAgain } = emails;
  return refusedForm(view, refusal, values, { conflict, forbidden, authentication_required: signInAgain });
}

import type { Refusal } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import type { ChangeRequest } from "../../flows/user-emails/authorize-change.ts";
import { removeAddress } from "../../flows/user-emails/remove.ts";
import { requestAddress } from "../../flows/user-emails/request-change.ts";
import { switchPrimaryAddress } from "../../flows/user-emails/switch-primary.ts";
import type { Profile } from "../../models/user/profile.ts";
import type { UserEmail } from "../../models/user-email/user-email.ts";
import { stepUpPath } from "../addresses.ts";
import { CurrentPassword } from "../components/current-password.tsx";
import { Actions, Button, Field, Form, type FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import {
  type AuthenticatedCall,
  authenticatedPage,
  type Fields,
  NOTHING_THERE,
  type Page,
  pathWith,
  seeOther,
  seeResult,
  uuidIn,
} from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import type { Texts } from "../texts/catalogue.ts";
import { useView } from "../view.tsx";
import { EMAILS, readOwnEmails } from "./emails-section.tsx";

const ACCOUNT = "/account";
const STEPS = ["change", "add", "primary", "remove"] as const;
type Step = (typeof STEPS)[number];
type EmailPageDeps = SignInDeps & SignedInUserDeps & Pick<Deps, "reads">;

/** The form that the page displays: the action, and the address of an action on an existing address. */
interface Selection {
  readonly step: Step;
  readonly address: UserEmail | undefined;
}

function textsOf(t: Texts, { step, address }: Selection) {
  const email = address?.email ?? "";
  const texts = {
    change: { title: t.emails.change, lead: t.emails.changeLead, action: t.emails.send },
    add: { title: t.emails.add, lead: t.emails.addLead, action: t.emails.send },
    primary: { title: t.emails.makePrimaryOf({ email }), lead: t.emails.primaryLead, action: t.emails.makePrimary },
    remove: { title: t.emails.removeTitle({ email }), lead: t.emails.removeLead, action: t.common.remove },
  };
  return texts[step];
}

interface BodyProps {
  readonly profile: Profile;
  readonly selection: Selection;
  readonly state: FormState;
}

function EmailBody({ profile, selection, state }: BodyProps) {
  const { t } = useView();
  const { step, address } = selection;
  const { title, lead, action } = textsOf(t, selection);
  return (
    <Shell at={ACCOUNT} profile={profile} below={title}>
      <h1>{title}</h1>
      <p class="soft">{lead}</p>
      <div class="panel">
        <Form action={EMAILS} class="stack">
          <Problem state={state} />
          <input type="hidden" name="id" value={address?.id ?? ""} />
          {!address && (
            <Field name="email" type="email" label={t.emails.address} state={state} autocomplete="email" autofocus />
          )}
          {profile.hasPassword && <CurrentPassword state={state} autofocus={address !== undefined} />}
          <Actions cancel={`${ACCOUNT}#emails`}>
            <Button kind={step === "remove" ? "loss" : "primary"} name="step" value={step}>
              {action}
            </Button>
          </Actions>
        </Form>
      </div>
    </Shell>
  );
}

/** `/account/email`: requests an address, makes an address the primary address, and removes an address. */
export function accountEmailPage(deps: EmailPageDeps): Page {
  const select = async (call: AuthenticatedCall, fields: Fields): Promise<Selection | undefined> => {
    const step = STEPS.find((each) => each === fields.text("step"));
    if (!step) return undefined;
    if (step === "change" || step === "add") return { step, address: undefined };
    const { items } = await readOwnEmails(deps, call.caller.session);
    const address = items.find(({ id }) => id === uuidIn(fields.text("id")));
    return address && { step, address };
  };
  const stepUp = ({ step, address }: Selection) => seeOther(stepUpPath(pathWith(EMAILS, { step, id: address?.id })));
  const show = async (call: AuthenticatedCall, selection: Selection, state: FormState, parts: DisplayedParts = {}) => {
    const { profile, view } = await signedInUser(deps, call);
    const body = <EmailBody profile={profile} selection={selection} state={state} />;
    return showPage(view, { title: textsOf(view.t, selection).title, body, islands: ["password"], ...parts });
  };
  const refuse = async (call: AuthenticatedCall, selection: Selection, refusal: Refusal) => {
    if (refusal.code === "mfa_required") return stepUp(selection);
    const { profile, view } = await signedInUser(deps, call);
    const { t } = view;
    const email = call.form.text("email");
    const wrongPassword = refusal.code === "authentication_required" && profile.hasPassword;
    const own = {
      conflict: t.emails.conflict,
      forbidden: t.emails.forbidden,
      authentication_required: t.emails.signInAgain,
    };
    const state = wrongPassword
      ? { values: { email }, errors: { password: t.account.wrongPassword } }
      : refusedForm(view, refusal, { email }, own);
    return await show(call, selection, state, refusedParts(refusal));
  };
  return authenticatedPage({
    path: EMAILS,
    servesUnverified: true,
    async get(call) {
      const selection = await select(call, call.query);
      if (!selection) return seeOther(ACCOUNT);
      const authorized = await authorizeCredentialChange(deps, call.caller.session);
      return authorized.ok ? await show(call, selection, {}) : await refuse(call, selection, authorized.error);
    },
    async post(call) {
      const { caller, client, form } = call;
      const selection = await select(call, form);
      if (!selection) return refusedPage((await signedInUser(deps, call)).view, NOTHING_THERE);
      const authorized = await authorizeCredentialChange(deps, caller.session);
      if (!authorized.ok) return await refuse(call, selection, authorized.error);
      const password = form.text("password") || undefined;
      const request = { caller: caller.session, authorized: authorized.value, password, client };
      const outcome = await run(deps, selection, request, form.text("email"));
      if (!outcome.ok) return await refuse(call, selection, outcome.error);
      return seeResult(ACCOUNT, RESULTS[selection.step]);
    },
  });
}

const RESULTS: Readonly<Record<Step, string>> = {
  change: "email_requested",
  add: "email_requested",
  primary: "email_changed",
  remove: "email_removed",
};

function run(
  deps: EmailPageDeps,
  { step, address }: Selection,
  request: ChangeRequest,
  email: string,
): Promise<Result<unknown, Refusal>> {
  const id = address?.id ?? "";
  if (step === "primary") return switchPrimaryAddress(deps, { ...request, id });
  if (step === "remove") return removeAddress(deps, { ...request, id });
  return requestAddress(deps, { ...request, kind: step, field: "email", email });
}

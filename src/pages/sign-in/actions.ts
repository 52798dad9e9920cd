/** The buttons of the sign-in page. */
import type { SignInDeps } from "../../deps.ts";
import { login } from "../../flows/auth/login.ts";
import { listSignInMethods, type SignInMethodDeps } from "../../flows/sign-in-methods/list.ts";
import { TRUST_COOKIE } from "../../http/cookies.ts";
import type { Reply } from "../../http/reply.ts";
import type { FormState } from "../components/form.tsx";
import type { DisplayedParts } from "../html.tsx";
import { type PageCall, type PageReply, pathWith, seeOther } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { type PublicAction, publicActionsOf } from "../public-action.ts";
import { carried, returnTo } from "../return-to.ts";
import { type SiteDeps, viewOf } from "../view.tsx";
import { addressState, isAddress, NO_ADDRESS } from "./address.ts";
import { browserMemory, forgottenAddress, rememberedAddress, usedMethod } from "./browser-memory.ts";
import { afterFirstFactor } from "./complete.ts";
import { requiredSsoReply } from "./required-sso.ts";

/** The refused passwords of this form, for the offer of a reset alone: the limits are counted elsewhere. */
export const ATTEMPTS = "attempts";

export interface SignInParts extends DisplayedParts {
  /** Displays the methods also for a domain with single sign-on: the user has chosen another way. */
  readonly withMethods?: boolean;
}

export interface SignInInput {
  readonly deps: SignInDeps & SignInMethodDeps & SiteDeps;
  readonly call: PageCall;
  /** Displays the page. `email`: the address of the second step; undefined: the first step. */
  readonly show: (email: string | undefined, state: FormState, parts?: SignInParts) => Promise<Reply>;
}

const action = publicActionsOf<SignInInput>();

/**
 * The form without a button of its own. A password that a password manager fills in with the address signs in, unless
 * single sign-on is required.
 */
export const continueWithAddress = withAddress("", ({ deps, call, show }, email) => {
  const isPassword = call.form.text("password") !== "" && !listSignInMethods(deps, email).company?.required;
  return isPassword ? signIn({ deps, call, show }, email) : show(email, {}, { withMethods: false });
});

export const signInWithPassword = withAddress("password", (input, email) => {
  if (input.call.form.text("password")) return signIn(input, email);
  const { passwordMissing } = viewOf(input.deps, input.call.client).t.problems;
  return input.show(email, { errors: { password: passwordMissing } }, { withMethods: true });
});

/** Leads from the single sign-on of the company to the methods. */
export const selectOtherWay = withAddress("other-ways", (input, email) =>
  input.call.form.text("password") ? signIn(input, email) : input.show(email, {}, { withMethods: true }),
);

export const forgetAddress = action({
  step: "another-address",
  run({ deps, call: { form } }) {
    const location = pathWith("/sign-in", { return_to: carried(returnTo(form)) });
    return seeOther(location, [forgottenAddress(deps.config)]);
  },
});

export const signInActions = { signInWithPassword, selectOtherWay, forgetAddress };

function withAddress(
  step: string,
  run: (input: SignInInput, email: string) => Promise<PageReply>,
): PublicAction<SignInInput> {
  return action({
    step,
    async run(input) {
      const { deps, call, show } = input;
      const email = call.form.text("email").trim();
      if (isAddress(email)) return await run(input, email);
      return await show(undefined, addressState(viewOf(deps, call.client), email), refusedParts(NO_ADDRESS));
    },
  });
}

async function signIn({ deps, call, show }: SignInInput, email: string): Promise<Reply> {
  const { form, cookies, client, admitBy } = call;
  const input = { email, password: form.text("password"), organizationId: undefined, admission: undefined, client };
  // The step of the address counts like every form of a page, so that a sign-in counts once, as at the API.
  const admitted = await admitBy("sign_in");
  const outcome = admitted.ok ? await login(deps, { ...input, trustToken: cookies[TRUST_COOKIE] }) : admitted;
  if (outcome.ok) return afterFirstFactor(deps, outcome.value, returnTo(form), memoryCookies(deps, call, email));
  const view = viewOf(deps, client);
  const required = requiredSsoReply(deps, view, outcome.error, returnTo(form));
  if (required) return required;
  const attempts = String((Math.trunc(Number(form.text(ATTEMPTS))) || 0) + 1);
  const values = { email, [ATTEMPTS]: attempts, remember: form.text("remember") };
  const state = refusedForm(view, outcome.error, values, { authentication_required: view.t.signIn.wrong });
  const parts = { ...refusedParts(outcome.error), withMethods: true };
  return await show(state.errors?.email ? undefined : email, state, parts);
}

/** The cookies after an accepted password: the method, and the address if the user wants the address remembered. */
function memoryCookies(deps: SignInInput["deps"], { form, cookies }: PageCall, email: string): string[] {
  const used = usedMethod(deps.config, "password");
  if (form.has("remember")) return [...used, rememberedAddress(deps, email)];
  return browserMemory(deps, cookies).email === undefined ? used : [...used, forgottenAddress(deps.config)];
}

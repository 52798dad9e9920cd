import type { Refusal } from "../../base/problem.ts";
import type { SignInDeps } from "../../deps.ts";
import { listOwnIdentities } from "../../flows/social-sign-in/list.ts";
import { unlinkIdentity } from "../../flows/social-sign-in/unlink.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import type { Profile } from "../../models/user/profile.ts";
import { stepUpPath } from "../addresses.ts";
import { CurrentPassword } from "../components/current-password.tsx";
import { Button, Form, type FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { LossActions } from "../components/question.tsx";
import { refusedPage } from "../error.tsx";
import type { Fields } from "../fields.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import {
  type AuthenticatedCall,
  authenticatedPage,
  NOTHING_THERE,
  type Page,
  pathWith,
  seeOther,
  seeResult,
  uuidIn,
} from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { SECURITY } from "./view-model.ts";

export const UNLINK = "/account/security/unlink";

interface Linked {
  readonly id: string;
  /** The name of the provider. */
  readonly name: string;
}

interface BodyProps {
  readonly profile: Profile;
  readonly linked: Linked;
  readonly state: FormState;
}

function UnlinkBody({ profile, linked: { id, name }, state }: BodyProps) {
  const { t } = useView();
  return (
    <Shell at={SECURITY} profile={profile} below={t.security.unlinkTitle({ provider: name })}>
      <h1>{t.security.unlinkTitle({ provider: name })}</h1>
      <p class="soft">{t.security.unlinkLead({ provider: name })}</p>
      <div class="panel">
        <Form action={UNLINK} class="stack">
          <Problem state={state} />
          <input type="hidden" name="id" value={id} />
          {profile.hasPassword && <CurrentPassword state={state} autofocus />}
          <LossActions cancel={`${SECURITY}#providers`}>
            <Button kind="loss">{t.security.unlink}</Button>
          </LossActions>
        </Form>
      </div>
    </Shell>
  );
}

/** `/account/security/unlink`: confirms the end of the link of a provider. */
export function unlinkPage(deps: SignInDeps & SignedInUserDeps): Page {
  const find = async (call: AuthenticatedCall, fields: Fields): Promise<Linked | undefined> => {
    const identities = await listOwnIdentities(deps, call.caller.session);
    const found = identities.find(({ id }) => id === uuidIn(fields.text("id")));
    return found && { id: found.id, name: deps.identityProviders.name(found.provider) };
  };
  const show = async (call: AuthenticatedCall, linked: Linked, state: FormState, parts: DisplayedParts = {}) => {
    const { profile, view } = await signedInUser(deps, call);
    const body = <UnlinkBody profile={profile} linked={linked} state={state} />;
    return showPage(view, {
      title: view.t.security.unlinkTitle({ provider: linked.name }),
      body,
      islands: ["password"],
      ...parts,
    });
  };
  const refuse = async (call: AuthenticatedCall, linked: Linked, refusal: Refusal) => {
    if (refusal.code === "mfa_required") {
      return seeOther(stepUpPath(pathWith(UNLINK, { id: linked.id })));
    }
    const { profile, view } = await signedInUser(deps, call);
    const { t } = view;
    const own = { conflict: t.security.lastMethod, authentication_required: t.emails.signInAgain };
    const state =
      refusal.code === "authentication_required" && profile.hasPassword
        ? { errors: { password: t.account.wrongPassword } }
        : refusedForm(view, refusal, {}, own);
    return await show(call, linked, state, refusedParts(refusal));
  };
  const missing = async (call: AuthenticatedCall) => refusedPage((await signedInUser(deps, call)).view, NOTHING_THERE);
  return authenticatedPage({
    path: UNLINK,
    async get(call) {
      const linked = await find(call, call.query);
      if (!linked) return await missing(call);
      const authorized = await authorizeCredentialChange(deps, call.caller.session);
      return authorized.ok ? await show(call, linked, {}) : await refuse(call, linked, authorized.error);
    },
    async post(call) {
      const { caller, client, form } = call;
      const linked = await find(call, form);
      if (!linked) return await missing(call);
      const authorized = await authorizeCredentialChange(deps, caller.session);
      if (!authorized.ok) return await refuse(call, linked, authorized.error);
      const password = form.text("password") || undefined;
      const request = { caller: caller.session, acting: authorized.value, id: linked.id, password, client };
      const outcome = await unlinkIdentity(deps, request);
      return outcome.ok ? seeResult(SECURITY, "unlinked") : await refuse(call, linked, outcome.error);
    },
  });
}

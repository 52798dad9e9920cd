import type { Deps, SignInDeps } from "../../deps.ts";
import { exportOrganization } from "../../flows/data-exports/organization.ts";
import { requestOrganizationDeletion } from "../../flows/deletions/organization.ts";
import { authorizePermission, type MemberCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { requireStepUp } from "../../flows/steps/sessions/step-up.ts";
import { clearedCookies } from "../../http/cookies.ts";
import { organizationExportReply } from "../../http/organizations/organization-export.ts";
import { ORGANIZATION_DELETION_DAYS } from "../../limits/deletion-limits.ts";
import type { Profile, ProfileOrganization } from "../../models/user/profile.ts";
import { stepUpPath } from "../addresses.ts";
import { CurrentPassword } from "../components/current-password.tsx";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Shell } from "../components/layout.tsx";
import { Rows, SentenceRow, Setting } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { LossActions } from "../components/question.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, NOTHING_THERE, type Page, seeOther, seeResult } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";

const PATH = "/team/delete";
type DeletePageDeps = SignInDeps & SignedInUserDeps & Pick<Deps, "reads">;

interface BodyProps {
  readonly profile: Profile;
  readonly organization: ProfileOrganization;
  readonly state: FormState;
}

function DeleteBody({ profile, organization, state }: BodyProps) {
  const { t } = useView();
  const { deleteOrganization: texts } = t;
  const { name, slug } = organization;
  return (
    <Shell at="/team" profile={profile} below={texts.title({ name })}>
      <header class="head">
        <div>
          <h1>{texts.title({ name })}</h1>
          <p>{texts.lead}</p>
        </div>
        <Form action={PATH}>
          <Button name="step" value="export">
            <Icon name="download" />
            {texts.export}
          </Button>
        </Form>
      </header>
      <Setting title={t.deleteAccount.now}>
        <Rows>
          <SentenceRow icon="users" text={texts.suspended} />
          <SentenceRow icon="mail" text={texts.notice} />
        </Rows>
      </Setting>
      <Setting title={t.deleteAccount.later({ days: ORGANIZATION_DELETION_DAYS })}>
        <Rows>
          <SentenceRow icon="trash" text={texts.erased} />
        </Rows>
      </Setting>
      <Setting title={texts.open}>
        <div class="box danger">
          <Form action={PATH} class="in stack">
            <Problem state={state} />
            <Field name="slug" label={texts.typeSlug({ slug })} state={state} autocomplete="off" />
            {!profile.mfaEnabled && profile.hasPassword && <CurrentPassword state={state} />}
            <LossActions cancel="/team">
              <Button kind="loss">{texts.open}</Button>
            </LossActions>
          </Form>
        </div>
      </Setting>
    </Shell>
  );
}

/** `/team/delete`: the deletion of the session's organization by an owner, with the typed slug. */
export function teamDeletePage(deps: DeletePageDeps): Page {
  const show = async (call: AuthenticatedCall, state: FormState, parts: DisplayedParts = {}) => {
    const { profile, view } = await signedInUser(deps, call);
    const organization = profile.organizations.find(({ id }) => id === call.caller.session.organizationId);
    if (!organization) return refusedPage(view, NOTHING_THERE);
    const body = <DeleteBody profile={profile} organization={organization} state={state} />;
    const title = view.t.deleteOrganization.title({ name: organization.name });
    return showPage(view, { title, body, islands: ["password"], ...parts });
  };
  const remove = async (call: AuthenticatedCall, caller: MemberCaller) => {
    const { form, client } = call;
    const input = { caller, slug: form.text("slug").trim(), password: form.text("password") || undefined, client };
    const outcome = await requestOrganizationDeletion(deps, input);
    if (outcome.ok) return seeResult("/sign-in", "organization_deleted", clearedCookies(deps.config));
    if (outcome.error.code === "mfa_required") return { ...seeOther(stepUpPath(PATH)), refused: outcome.error };
    const { view } = await signedInUser(deps, call);
    const values = { slug: form.text("slug") };
    const isWrongPassword = outcome.error.code === "authentication_required";
    const state = isWrongPassword
      ? { values, errors: { password: view.t.account.wrongPassword } }
      : refusedForm(view, outcome.error, values, {}, { slug: view.t.deleteOrganization.wrongSlug });
    return await show(call, state, refusedParts(outcome.error));
  };
  const download = async (call: AuthenticatedCall, { organizationId, actor }: MemberCaller) => {
    const steppedUp = requireStepUp(deps, call.caller.session);
    if (!steppedUp.ok) return { ...seeOther(stepUpPath(PATH)), refused: steppedUp.error };
    return organizationExportReply(await exportOrganization(deps, { organizationId, actor, client: call.client }));
  };
  const authorized = async (call: AuthenticatedCall) => {
    const { session } = call.caller;
    return await authorizePermission(deps, session, session.organizationId, "organization.delete");
  };
  const refuse = async (call: AuthenticatedCall, error: Parameters<typeof refusedPage>[1]) => {
    const { view } = await signedInUser(deps, call);
    return refusedPage(view, error, { forbidden: view.t.deleteOrganization.ownersOnly });
  };
  return authenticatedPage({
    path: PATH,
    ofOrganization: true,
    async get(call) {
      const caller = await authorized(call);
      return caller.ok ? await show(call, {}) : await refuse(call, caller.error);
    },
    async post(call) {
      const caller = await authorized(call);
      if (!caller.ok) return await refuse(call, caller.error);
      return call.form.text("step") === "export"
        ? await download(call, caller.value)
        : await remove(call, caller.value);
    },
  });
}

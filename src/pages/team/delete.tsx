import type { Reply } from "../../http/reply.ts";
import { ORGANIZATION_DELETION_DAYS } from "../../limits/deletion-limits.ts";
import type { Profile, ProfileOrganization } from "../../models/user/profile.ts";
import { type ActionPage, actionPage, shellFrame } from "../action-page.tsx";
import { stepUpPath } from "../addresses.ts";
import { CurrentPassword } from "../components/current-password.tsx";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Shell } from "../components/layout.tsx";
import { Rows, SentenceRow, Setting } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { LossActions } from "../components/question.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { NOTHING_THERE, type Page, seeOther } from "../page.ts";
import { signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import {
  deleteOwnOrganization,
  downloadOrganization,
  mayDelete,
  type TeamDeletionInput,
  teamDeletionActions,
} from "./delete-actions.ts";

const PATH = "/team/delete";

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
          <Button name="step" value={downloadOrganization.step}>
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

const PAGE: ActionPage<TeamDeletionInput, FormState> = {
  frame: {
    ...shellFrame("/team"),
    refuse: (_, { view }, refusal, own) =>
      asksStepUp(refusal) ? { ...seeOther(stepUpPath(PATH)), refused: refusal } : refusedPage(view, refusal, own),
  },
  actions: teamDeletionActions,
  defaultStep: deleteOwnOrganization.step,
  place: () => PATH,
  problems: ({ t }) => ({ forbidden: t.deleteOrganization.ownersOnly }),
  show,
};

/** `/team/delete`: the deletion of the session's organization by an owner, with the typed slug. */
export function teamDeletePage(deps: TeamDeletionInput["deps"]): Page {
  return actionPage(deps, PAGE, {
    path: PATH,
    ofOrganization: true,
    async get(call) {
      const caller = await mayDelete({ deps, call });
      if (caller.ok) return await show({ deps, call }, {});
      const { view } = await signedInUser(deps, call);
      return refusedPage(view, caller.error, { forbidden: view.t.deleteOrganization.ownersOnly });
    },
  });
}

async function show({ deps, call }: TeamDeletionInput, state: FormState, parts: DisplayedParts = {}): Promise<Reply> {
  const { profile, view } = await signedInUser(deps, call);
  const organization = profile.organizations.find(({ id }) => id === call.caller.session.organizationId);
  if (!organization) return refusedPage(view, NOTHING_THERE);
  const body = <DeleteBody profile={profile} organization={organization} state={state} />;
  const title = view.t.deleteOrganization.title({ name: organization.name });
  return showPage(view, { title, body, islands: ["password"], ...parts });
}

import { type DeletionPreview, previewOwnDeletion } from "../../flows/deletions/preview.ts";
import type { Profile } from "../../models/user/profile.ts";
import { CurrentPassword } from "../components/current-password.tsx";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Rows, SentenceRow, Setting } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { LossActions } from "../components/question.tsx";
import type { Page } from "../page.ts";
import { confirmedPage } from "../shared/confirmed-page.tsx";
import { useView } from "../view.tsx";
import { type DeletionInput, deleteAccount, deletionActions, mailDeletionCode } from "./delete-actions.ts";
import { ExportRow } from "./export-row.tsx";

const PATH = "/account/delete";

interface BodyProps {
  readonly profile: Profile;
  readonly preview: DeletionPreview;
  readonly days: number;
  readonly state: FormState;
}

function DeleteBody({ profile, preview, days, state }: BodyProps) {
  const { t } = useView();
  return (
    <Shell at="/account" profile={profile} below={t.deleteAccount.title}>
      <h1>{t.deleteAccount.title}</h1>
      <Effects preview={preview} days={days} />
      <Setting title={t.dataExport.title}>
        <Rows>
          <ExportRow />
        </Rows>
      </Setting>
      <Setting title={t.deleteAccount.open} lead={days === 0 ? t.deleteAccount.noCancel : t.deleteAccount.cancelUntil}>
        <div class="box danger">
          <div class="in stack">
            <Problem state={state} />
            {!profile.hasPassword && <CodeRequest />}
            <DeleteForm profile={profile} state={state} />
          </div>
        </div>
      </Setting>
    </Shell>
  );
}

function DeleteForm({ profile, state }: Pick<BodyProps, "profile" | "state">) {
  const { t } = useView();
  const { deleteAccount: texts } = t;
  return (
    <Form action={PATH} class="stack">
      <Field name="email" label={texts.typeEmail({ email: profile.email })} state={state} autocomplete="off" />
      {profile.hasPassword ? (
        <CurrentPassword state={state} />
      ) : (
        <Field name="code" label={texts.code} state={state} autocomplete="one-time-code" code="digits" optional />
      )}
      <LossActions cancel="/account">
        <Button kind="loss" name="step" value={deleteAccount.step}>
          {texts.open}
        </Button>
      </LossActions>
    </Form>
  );
}

/** What happens at once and later. */
function Effects({ preview, days }: Pick<BodyProps, "preview" | "days">) {
  const { t, dates } = useView();
  const { deleteAccount: texts } = t;
  const names = dates.list(preview.deletedOrganizations.map(({ name }) => name));
  return (
    <>
      <Setting title={texts.now}>
        <Rows>
          <SentenceRow icon="signOut" text={texts.signedOut} />
          <SentenceRow icon="close" text={texts.noSignIn} />
          <SentenceRow icon="mail" text={texts.invitations} />
          {names !== "" && <SentenceRow icon="building" text={texts.organizationsSuspended({ names })} />}
        </Rows>
      </Setting>
      <Setting title={days === 0 ? texts.immediately : texts.later({ days })}>
        <Rows>
          <SentenceRow icon="trash" text={texts.erased} />
          {names !== "" && <SentenceRow icon="building" text={texts.organizationsErased({ names })} />}
          <SentenceRow icon="audit" text={texts.kept} />
        </Rows>
      </Setting>
    </>
  );
}

function CodeRequest() {
  const { t } = useView();
  return (
    <Form action={PATH} class="stack">
      <p class="soft">{t.deleteAccount.codeLead}</p>
      <Button name="step" value={mailDeletionCode.step}>
        {t.deleteAccount.sendCode}
      </Button>
    </Form>
  );
}

/** `/account/delete`: the effects of the deletion, and the typed confirmation. */
export function accountDeletePage(deps: DeletionInput["deps"]): Page {
  const days = deps.config.accountDeletionDays;
  return confirmedPage(deps, {
    path: PATH,
    title: (t) => t.deleteAccount.title,
    actions: deletionActions,
    defaultStep: deleteAccount.step,
    async body({ call }, { profile }, state) {
      const preview = await previewOwnDeletion(deps, call.caller.session);
      return <DeleteBody profile={profile} preview={preview} days={days} state={state} />;
    },
  });
}

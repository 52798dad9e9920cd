import type { Refusal } from "../../base/problem.ts";
import { err, ok } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { type DeletionPreview, previewOwnDeletion } from "../../flows/deletions/preview.ts";
import { requestOwnDeletion } from "../../flows/deletions/request-own.ts";
import { requestEmailCode } from "../../flows/email-otp/request.ts";
import { clearedCookies } from "../../http/cookies.ts";
import type { Profile } from "../../models/user/profile.ts";
import { CurrentPassword } from "../components/current-password.tsx";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Rows, SentenceRow, Setting } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { LossActions } from "../components/question.tsx";
import { type Page, seeResult } from "../page.ts";
import { refusedForm } from "../problem-messages.ts";
import { confirmedPage } from "../shared/confirmed-page.tsx";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import { useView, type View } from "../view.tsx";
import { ExportRow } from "./export-row.tsx";

const PATH = "/account/delete";
type DeletePageDeps = SignInDeps & SignedInUserDeps & Pick<Deps, "reads">;

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
        <Button kind="loss" name="step" value="delete">
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
      <Button name="step" value="code">
        {t.deleteAccount.sendCode}
      </Button>
    </Form>
  );
}

function stateOf(view: View, refusal: Refusal, profile: Profile, values: Readonly<Record<string, string>>): FormState {
  const { deleteAccount: t, account } = view.t;
  const { code, reason, organizations = [] } = refusal;
  const names = () => view.dates.list(organizations.map(({ name }) => name));
  if (reason === "last_owner") return { values, problem: t.lastOwner({ names: names() }) };
  if (reason === "break_glass") return { values, problem: t.breakGlass({ names: names() }) };
  if (reason === "last_platform_owner") return { values, problem: t.lastPlatformOwner };
  if (code !== "authentication_required") return refusedForm(view, refusal, values);
  return {
    values,
    errors: profile.hasPassword ? { password: account.wrongPassword } : { code: t.wrongCode },
  };
}

/** `/account/delete`: the effects of the deletion, and the typed confirmation. */
export function accountDeletePage(deps: DeletePageDeps): Page {
  const days = deps.config.accountDeletionDays;
  return confirmedPage(deps, {
    path: PATH,
    title: (t) => t.deleteAccount.title,
    done: (t, result) => (result === "code" ? t.deleteAccount.codeSent : undefined),
    async body({ caller }, { profile }, state) {
      const preview = await previewOwnDeletion(deps, caller.session);
      return <DeleteBody profile={profile} preview={preview} days={days} state={state} />;
    },
    async submit({ caller, client, form }, { profile, view }) {
      if (form.text("step") === "code") {
        const tenants = { organizationId: caller.session.organizationId };
        await requestEmailCode(deps, { email: profile.email, tenants, client });
        return ok(seeResult(PATH, "code"));
      }
      const values = { email: form.text("email") };
      if (values.email.trim().toLowerCase() !== profile.email) {
        return err({ state: { values, errors: { email: view.t.deleteAccount.wrongEmail } } });
      }
      const [password, code] = [form.text("password") || undefined, form.text("code") || undefined];
      const outcome = await requestOwnDeletion(deps, { caller: caller.session, password, code, client });
      const result = days === 0 ? "account_erased" : "account_deleted";
      if (outcome.ok) return ok(seeResult("/sign-in", result, clearedCookies(deps.config)));
      const refusal: Refusal = outcome.error;
      return err({ state: stateOf(view, refusal, profile, values), refusal });
    },
  });
}

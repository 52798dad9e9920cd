/** The form of `/admin/users/new` that creates a user without an invitation (docs/contract.md, section 36.1). */
import type { Refusal } from "../../../base/problem.ts";
import { ok, type Result } from "../../../base/result.ts";
import type { SignInDeps } from "../../../deps.ts";
import { grantsPower } from "../../../flows/steps/authorization/grants-power.ts";
import { requireStepUp } from "../../../flows/steps/sessions/step-up.ts";
import { createUser } from "../../../flows/users/create.ts";
import { sendPasswordResetTo } from "../../../flows/users/send-link.ts";
import { accountAuthor } from "../../../http/management/account-author.ts";
import { EXTERNAL_ID_MAX_CHARACTERS } from "../../../limits/management-limits.ts";
import { Choice } from "../../components/choice.tsx";
import { Actions, Button, Field, Form, type FormState } from "../../components/form.tsx";
import type { Fields } from "../../fields.ts";
import { memberRoleIn } from "../../organization-actions.ts";
import { refusedForm } from "../../problem-messages.ts";
import { useView, type View } from "../../view.tsx";
import type { ConsoleCall } from "../console.tsx";
import { RoleField } from "../organizations/invitations-section.tsx";
import { USERS } from "./list.ts";

export const NEW_USER = "/admin/users/new";
/** The field, in the query and in the form, that selects the creation. */
export const WAY = "way";
/** `organization` is a hidden field of each form (`Form`). */
export const SLUG = "organization_slug";
const PASSWORD_BY = "password_by";
const NAMES = ["email", "display_name", "external_id", SLUG, "role", PASSWORD_BY] as const;

export function isCreation(fields: Fields): boolean {
  return fields.text(WAY) === "account";
}

/** The submitted values, for the refused form. */
export function creationValues(form: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(NAMES.map((name) => [name, form.text(name)]));
}

/** The form; the list of organizations has the id `organizations`. */
export function NewAccountForm({ state }: { readonly state: FormState }) {
  const { t } = useView();
  return (
    <Form action={NEW_USER} class="panel stack">
      <input type="hidden" name={WAY} value="account" />
      <Field name="email" type="email" label={t.common.email} state={state} autofocus />
      <Field name="display_name" label={t.directory.displayName} state={state} optional />
      <Field
        name="external_id"
        label={t.directory.externalId}
        hint={t.directory.externalIdHint}
        state={state}
        maxlength={EXTERNAL_ID_MAX_CHARACTERS}
        optional
      />
      <Field
        name={SLUG}
        label={t.directory.organization}
        hint={t.directory.noOrganizationHint}
        state={state}
        list="organizations"
        optional
      />
      <RoleField selected={state.values?.role ?? "member"} />
      <Choice name={PASSWORD_BY} label={t.common.password} options={t.directory.passwordBy} state={state} />
      <Actions cancel={USERS}>
        <Button kind="primary">{t.directory.createUser}</Button>
      </Actions>
    </Form>
  );
}

/** The created user, and the result for the page of the user (`creationText`). */
interface CreatedUser {
  readonly userId: string;
  readonly result: "created" | "created-with-link";
}

/** Creates the user of the form, and emails the link to the first password if chosen. */
export async function createFromForm(
  deps: SignInDeps,
  { admin, caller: principal, form, client }: Pick<ConsoleCall, "admin" | "caller" | "form" | "client">,
): Promise<Result<CreatedUser, Refusal>> {
  const [slug, role] = [form.text(SLUG).trim(), memberRoleIn(form)];
  const memberships = slug === "" ? [] : [{ organizationSlug: slug, role }];
  const steppedUp = slug !== "" && grantsPower(role) ? requireStepUp(deps, principal.session) : ok(undefined);
  if (!steppedUp.ok) return steppedUp;
  const fields = {
    email: form.text("email"),
    displayName: form.text("display_name").trim() || undefined,
    externalId: form.text("external_id").trim() || undefined,
    memberships,
  };
  const created = await createUser(deps, {
    ...accountAuthor(deps, principal, admin, client),
    fields,
    source: "console",
  });
  if (!created.ok) return created;
  const { userId } = created.value;
  if (form.text(PASSWORD_BY) !== "link") return ok({ userId, result: "created" });
  // The user exists: a link that is refused, such as by a disabling in between, does not undo the creation.
  const sent = await sendPasswordResetTo(deps, { caller: admin, userId, client });
  return ok({ userId, result: sent.ok ? "created-with-link" : "created" });
}

/** The refused form with a text beside each wrong field. */
export function refusedCreation(view: View, refusal: Refusal, values: Readonly<Record<string, string>>): FormState {
  const { emailRegistered, externalIdTaken, badExternalId, noSuchOrganization } = view.t.directory;
  if (refusal.reason === "email_taken") return { values, errors: { email: emailRegistered } };
  if (refusal.reason === "external_id_taken") return { values, errors: { external_id: externalIdTaken } };
  if (refusal.fields?.some(({ field }) => field === "memberships"))
    return { values, errors: { [SLUG]: noSuchOrganization } };
  return refusedForm(view, refusal, values, {}, { external_id: badExternalId });
}

/** The text of a result of `createFromForm`. */
export function creationText({ t }: View, result: string): string | undefined {
  if (result === "created") return t.directory.userCreated;
  return result === "created-with-link" ? t.directory.userCreatedWithLink : undefined;
}

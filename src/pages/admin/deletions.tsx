import type { Refusal } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import { clampPage, type Listing } from "../../database/listing.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { requestUserDeletion, searchDeletions } from "../../flows/deletions/administer.ts";
import { cancelDeletionByAdministrator } from "../../flows/deletions/cancel.ts";
import { requestOrganizationDeletionAsAdmin } from "../../flows/deletions/organization.ts";
import { readOrganization } from "../../flows/organizations/administer.ts";
import { authorizePlatformRole } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { NO_SUCH_USER, readUser } from "../../flows/users/administer.ts";
import { DELETION_REASON_MAX } from "../../limits/deletion-limits.ts";
import type { Deletion } from "../../models/deletion/deletion.ts";
import { Actions, Button, Field, Form, type FormState, Problem } from "../components/form.tsx";
import { Pages, Row, Rows } from "../components/lists.tsx";
import { type Fields, type Page, pageNumber, seeResult, textAt, uuidIn } from "../page.ts";
import { messageOf, refusedParts } from "../problem-messages.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "./console.tsx";
import type { DeletionSubject } from "./deletion-row.tsx";

const DELETIONS = "/admin/deletions";
const NEW = "/admin/deletions/new";
const USERS = "/admin/users";
const ORGANIZATIONS = "/admin/organizations";
type DeletionDeps = SignInDeps & SignedInUserDeps & Pick<Deps, "reads">;

/** The page of a user or organization in the console. */
function pageOf({ type, id }: DeletionSubject): string {
  return `${type === "user" ? USERS : ORGANIZATIONS}/${id}`;
}

function subjectIn(fields: Fields): DeletionSubject {
  return { type: fields.text("type") === "organization" ? "organization" : "user", id: uuidIn(fields.text("id")) };
}

/** `/admin/deletions`: pending deletions, with their cancellation, and erasures of the last 180 days. */
export function deletionsPage(deps: DeletionDeps): Page {
  return consolePage(deps, {
    path: DELETIONS,
    async get(call) {
      const page = clampPage(pageNumber(call.query));
      const listing = await searchDeletions(deps, { caller: call.admin, page });
      const { adminDeletions: t } = call.view.t;
      const done = textAt({ cancelled: t.cancelled, requested: t.requestedDone }, call.result);
      const body = <DeletionsBody listing={listing} canCancel={call.admin.role !== "viewer"} />;
      return showConsole(call, { at: USERS, title: t.title, body, done });
    },
    async post(call) {
      const caller = await authorizePlatformRole(deps, call.caller.session, "admin");
      if (!caller.ok) return refuseConsole(call, caller.error, DELETIONS);
      const { type: subjectType, id: subjectId } = subjectIn(call.form);
      const input = { caller: caller.value, subjectType, subjectId, client: call.client };
      const outcome = await cancelDeletionByAdministrator(deps, input);
      return outcome.ok ? seeResult(DELETIONS, "cancelled") : refuseConsole(call, outcome.error, DELETIONS);
    },
  });
}

interface DeletionsProps {
  readonly listing: Listing<Deletion>;
  readonly canCancel: boolean;
}

function DeletionsBody({ listing, canCancel }: DeletionsProps) {
  const { t } = useView();
  return (
    <>
      <header class="head">
        <h1>{t.adminDeletions.title}</h1>
        <p class="soft">{t.adminDeletions.lead}</p>
      </header>
      {listing.items.length === 0 && <p class="soft">{t.adminDeletions.none}</p>}
      <Rows>
        {listing.items.map((deletion) => (
          <DeletionRow key={deletion.id} deletion={deletion} canCancel={canCancel} />
        ))}
      </Rows>
      <Pages path={DELETIONS} page={listing.page} pageSize={listing.pageSize} total={listing.total} />
    </>
  );
}

function DeletionRow({ deletion, canCancel }: { readonly deletion: Deletion; readonly canCancel: boolean }) {
  const { t, dates } = useView();
  const { adminDeletions: texts } = t;
  const { subjectType, subjectId, parentId, reason, dueAt, erasedAt } = deletion;
  const kind = subjectType === "user" ? texts.user : texts.organization;
  const time = erasedAt ? `${texts.erased}: ${dates.exact(erasedAt)}` : `${texts.due}: ${dates.exact(dueAt)}`;
  const details = reason === null ? time : `${time} · ${texts.reason}: ${reason}`;
  const subject = { type: subjectType, id: subjectId };
  const title = erasedAt ? (
    <code>{subjectId}</code>
  ) : (
    <a href={pageOf(subject)}>
      <code>{subjectId}</code>
    </a>
  );
  return (
    <Row title={title} details={`${kind} · ${details}`}>
      {canCancel && !erasedAt && parentId === null && (
        <Form action={DELETIONS}>
          <input type="hidden" name="type" value={subjectType} />
          <input type="hidden" name="id" value={subjectId} />
          <Button>{texts.cancel}</Button>
        </Form>
      )}
    </Row>
  );
}

/** `/admin/deletions/new`: requests the deletion of a user or organization, with a reason. */
export function newDeletionPage(deps: DeletionDeps): Page {
  const show = async (call: ConsoleCall, subject: DeletionSubject, state: FormState, parts = {}) => {
    const name = await nameOf(deps, call, subject);
    if (!name.ok) return refuseConsole(call, name.error, DELETIONS);
    const { adminDeletions: t } = call.view.t;
    const title = subject.type === "user" ? t.deleteUser : t.deleteOrganization;
    const body = <NewDeletionBody subject={subject} name={name.value} state={state} />;
    return showConsole(call, { at: USERS, inside: true, title, body, ...parts });
  };
  return consolePage(deps, {
    path: NEW,
    get: (call) => show(call, subjectIn(call.query), {}),
    async post(call) {
      const subject = subjectIn(call.form);
      const caller = await authorizePlatformRole(deps, call.caller.session, "admin");
      if (!caller.ok) return refuseConsole(call, caller.error, DELETIONS);
      const reason = call.form.text("reason").trim();
      const { adminDeletions: t } = call.view.t;
      if (reason === "" || reason.length > DELETION_REASON_MAX) {
        return await show(call, subject, { values: { reason }, errors: { reason: t.badReason } }, { status: 400 });
      }
      const { client } = call;
      const outcome =
        subject.type === "user"
          ? await requestUserDeletion(deps, { caller: caller.value, userId: subject.id, reason, client })
          : await requestOrganizationDeletionAsAdmin(deps, {
              caller: caller.value,
              organizationId: subject.id,
              reason,
              client,
            });
      if (outcome.ok) return seeResult(DELETIONS, "requested");
      const problem = messageOf(call.view, outcome.error, {
        conflict: t.conflict,
        forbidden: call.view.t.users.higherRole,
      });
      return await show(call, subject, { values: { reason }, problem }, refusedParts(outcome.error));
    },
  });
}

async function nameOf(
  deps: DeletionDeps,
  { admin }: ConsoleCall,
  subject: DeletionSubject,
): Promise<Result<string, Refusal>> {
  if (subject.type === "user") {
    const user = await readUser(deps, admin, subject.id);
    return user.ok
      ? { ok: true, value: user.value.displayName ?? user.value.email }
      : { ok: false, error: NO_SUCH_USER };
  }
  const organization = await readOrganization(deps, admin, subject.id);
  return organization.ok ? { ok: true, value: organization.value.name } : organization;
}

interface NewDeletionProps {
  readonly subject: DeletionSubject;
  readonly name: string;
  readonly state: FormState;
}

function NewDeletionBody({ subject, name, state }: NewDeletionProps) {
  const { t } = useView();
  const { adminDeletions: texts } = t;
  const isUser = subject.type === "user";
  return (
    <div class="panel stack">
      <h1>{isUser ? texts.deleteUser : texts.deleteOrganization}</h1>
      <p>
        <b>{name}</b>
      </p>
      <p>{isUser ? texts.deleteUserText : texts.deleteOrganizationText}</p>
      <Problem state={state} />
      <Form action={NEW} class="stack">
        <input type="hidden" name="type" value={subject.type} />
        <input type="hidden" name="id" value={subject.id} />
        <Field
          name="reason"
          label={texts.reason}
          hint={texts.reasonHint}
          state={state}
          maxlength={DELETION_REASON_MAX}
          autofocus
        />
        <Actions cancel={pageOf(subject)}>
          <Button kind="loss">{isUser ? texts.deleteUser : texts.deleteOrganization}</Button>
        </Actions>
      </Form>
    </div>
  );
}

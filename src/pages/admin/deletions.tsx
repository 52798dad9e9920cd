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
import type { NamedDeletion } from "../../models/deletion/deletion.ts";
import { Crumbs } from "../components/crumbs.tsx";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Tile } from "../components/icon.tsx";
import { EmptyBox, Pages, Tag, Time } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { LossActions } from "../components/question.tsx";
import { Cell, Table } from "../components/table.tsx";
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
      return showConsole(call, { at: DELETIONS, title: t.title, body, done });
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
  readonly listing: Listing<NamedDeletion>;
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
      {listing.items.length === 0 ? (
        <EmptyBox icon="trash" text={t.adminDeletions.none} />
      ) : (
        <DeletionTable items={listing.items} canCancel={canCancel} />
      )}
      <Pages path={DELETIONS} page={listing.page} pageSize={listing.pageSize} total={listing.total} />
    </>
  );
}

function DeletionTable({
  items,
  canCancel,
}: Pick<DeletionsProps, "canCancel"> & Pick<Listing<NamedDeletion>, "items">) {
  const { t } = useView();
  const { adminDeletions: texts } = t;
  const columns = [t.organizations.name, texts.due, texts.reason];
  return (
    <Table label={texts.title} columns={columns} actions={canCancel ? t.directory.actions : undefined}>
      {items.map((deletion) => (
        <DeletionRow key={deletion.id} deletion={deletion} canCancel={canCancel} />
      ))}
    </Table>
  );
}

function DeletionRow({ deletion, canCancel }: { readonly deletion: NamedDeletion; readonly canCancel: boolean }) {
  const { t } = useView();
  const { adminDeletions: texts } = t;
  const { reason, dueAt, erasedAt, parentId } = deletion;
  return (
    <tr>
      <Cell>
        <Subject deletion={deletion} />
      </Cell>
      <Cell label={texts.due}>
        {erasedAt && <Tag kind="plain">{texts.erased}</Tag>} <Time at={erasedAt ?? dueAt} />
      </Cell>
      <Cell label={texts.reason}>{reason ?? <span class="soft">–</span>}</Cell>
      {canCancel && <td class="end">{!erasedAt && parentId === null && <CancelForm deletion={deletion} />}</td>}
    </tr>
  );
}

/** The name of the subject, which leads to its page until the erasure; then the id alone remains. */
function Subject({ deletion }: { readonly deletion: NamedDeletion }) {
  const { t } = useView();
  const { subjectType: type, subjectId: id, subjectName, subjectEmail, erasedAt } = deletion;
  const isUser = type === "user";
  const kind = isUser ? t.adminDeletions.user : t.adminDeletions.organization;
  const name = subjectName ?? subjectEmail ?? id;
  return (
    <div class="person">
      <Tile name={isUser ? "account" : "building"} />
      <div class="what">
        {erasedAt ? <code>{id}</code> : <a href={pageOf({ type, id })}>{name}</a>}
        <small>{subjectEmail === null || subjectEmail === name ? kind : `${kind} · ${subjectEmail}`}</small>
      </div>
    </div>
  );
}

function CancelForm({ deletion }: { readonly deletion: NamedDeletion }) {
  const { t } = useView();
  const { subjectType, subjectId, subjectName, subjectEmail } = deletion;
  const { cancel } = t.adminDeletions;
  return (
    <Form action={DELETIONS}>
      <input type="hidden" name="type" value={subjectType} />
      <input type="hidden" name="id" value={subjectId} />
      <Button label={`${cancel}: ${subjectName ?? subjectEmail ?? subjectId}`}>{cancel}</Button>
    </Form>
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
    const at = subject.type === "user" ? USERS : ORGANIZATIONS;
    return showConsole(call, { at, inside: true, title, body, ...parts });
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
  const list = isUser ? { href: USERS, text: t.users.title } : { href: ORGANIZATIONS, text: t.organizations.title };
  const title = isUser ? texts.deleteUser : texts.deleteOrganization;
  return (
    <>
      <Crumbs above={[list, { href: pageOf(subject), text: name }]} current={title} />
      <div class="panel stack">
        <h1>{title}</h1>
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
          <LossActions cancel={pageOf(subject)}>
            <Button kind="loss">{title}</Button>
          </LossActions>
        </Form>
      </div>
    </>
  );
}

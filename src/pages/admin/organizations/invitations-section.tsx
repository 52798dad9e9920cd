/** Invitations of an organization: create, send again, revoke, by status. */
import { clampPage, type Listing } from "../../../database/listing.ts";
import { listOrganizationInvitations } from "../../../flows/invitations/manage.ts";
import { organizationCallerOf } from "../../../flows/steps/authorization/authorize-member.ts";
import type { Invitation, InvitationStatus } from "../../../models/invitation/invitation.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import { confirmPath } from "../../action.ts";
import { Button, Field, Form, type FormState } from "../../components/form.tsx";
import { EmptyBox, Pages, Section, Tag, Time } from "../../components/lists.tsx";
import { Problem } from "../../components/notices.tsx";
import { Cell, MenuCell, Table } from "../../components/table.tsx";
import { pageNumber } from "../../page.ts";
import { NoSelectBox, SelectBox, SelectionBar } from "../../shared/selection-boxes.tsx";
import { useView } from "../../view.tsx";
import { inviteTo, resendSelectedTo, resendTo, revokeInvitation, revokeSelectedInvitations } from "./actions.ts";
import { organizationPath, type ReadSection } from "./sections.tsx";

const PER_PAGE = 25;
const STATUSES = ["pending", "accepted", "expired", "revoked"] as const;
const ALL = "all";
type StatusFilter = InvitationStatus | typeof ALL;
const TAGS = { pending: "on", accepted: "good", expired: "warn", revoked: "plain" } as const;

export const readInvitations: ReadSection = async ({ deps, call, organization, acts, state }) => {
  const caller = organizationCallerOf(call.admin, organization.id);
  const text = call.query.text("status");
  const status: StatusFilter = text === ALL ? ALL : (STATUSES.find((each) => each === text) ?? "pending");
  const page = clampPage(pageNumber(call.query), PER_PAGE);
  const wanted = status === ALL ? undefined : status;
  const listed = await listOrganizationInvitations(deps, { caller, status: wanted, page });
  const invitations = listed.ok ? listed.value : { ...page, items: [], total: 0 };
  return <Invitations {...{ organization, invitations, status, acts, state }} />;
};

interface InvitationsProps {
  readonly organization: Organization;
  readonly invitations: Listing<Invitation>;
  readonly status: StatusFilter;
  readonly acts: boolean;
  readonly state: FormState;
}

function Invitations({ organization, invitations, status, acts, state }: InvitationsProps) {
  const { t } = useView();
  const { address, role, status: statusHead, sent, expires, actions } = t.directory;
  const { id, name } = organization;
  const place = organizationPath(id, "invitations", { status });
  return (
    <>
      {acts && !organization.suspended && <InviteForm organization={organization} state={state} />}
      <section class="stack" aria-label={t.directory.invitations}>
        <StatusLinks organizationId={id} status={status} />
        {invitations.items.length === 0 ? (
          <EmptyBox icon="mail" text={t.directory.noInvitations} />
        ) : (
          <Table
            label={`${t.directory.invitations}, ${name}`}
            columns={[address, role, statusHead, sent, expires]}
            actions={acts ? actions : undefined}
          >
            {invitations.items.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} acts={acts} />
            ))}
          </Table>
        )}
        {acts && (
          <SelectionBar
            form="select-invitations"
            action={`${organizationPath(id)}/confirm`}
            actions={[resendSelectedTo, revokeSelectedInvitations]}
          />
        )}
        <Pages {...invitations} path={place} />
      </section>
    </>
  );
}

function StatusLinks({ organizationId, status }: { readonly organizationId: string; readonly status: StatusFilter }) {
  const { t } = useView();
  const names = { ...t.directory.invitationStatus, all: t.directory.allInvitations };
  return (
    <nav class="segments" aria-label={t.directory.status}>
      {[...STATUSES, ALL].map((each) => (
        <a
          key={each}
          href={organizationPath(organizationId, "invitations", { status: each })}
          aria-current={each === status ? "true" : undefined}
        >
          {names[each as StatusFilter]}
        </a>
      ))}
    </nav>
  );
}

function InviteForm({ organization: { id, name }, state }: Pick<InvitationsProps, "organization" | "state">) {
  const { t } = useView();
  return (
    <Section title={t.directory.inviteTo({ organization: name })} lead={t.directory.inviteLead}>
      <Problem state={state} />
      <Form action={organizationPath(id, "invitations")} class="panel bar">
        <Field name="email" type="email" label={t.common.email} state={state} />
        <RoleField selected={state.values?.role ?? "member"} />
        <Button kind="primary" name="step" value={inviteTo.step}>
          {t.directory.send}
        </Button>
      </Form>
    </Section>
  );
}

/** The role that an invitation grants. */
export function RoleField({ selected }: { readonly selected: string }) {
  const { t } = useView();
  return (
    <div class="field narrow">
      <label for="role">{t.directory.role}</label>
      <select id="role" name="role">
        {(["member", "admin", "owner"] as const).map((role) => (
          <option key={role} value={role} selected={role === selected}>
            {t.roles[role]}
          </option>
        ))}
      </select>
    </div>
  );
}

function InvitationRow({ invitation, acts }: { readonly invitation: Invitation; readonly acts: boolean }) {
  const { t, dates } = useView();
  const { id, email, role, status, createdAt, expiresAt } = invitation;
  const isOpen = status === "pending" || status === "expired";
  return (
    <tr>
      <Cell>
        <div class="person">
          {acts && isOpen ? <SelectBox form="select-invitations" id={id} name={email} /> : <NoSelectBox />}
          <strong class="cut" title={email}>
            {email}
          </strong>
        </div>
      </Cell>
      <Cell label={t.directory.role}>{t.roles[role]}</Cell>
      <Cell label={t.directory.status}>
        <Tag kind={TAGS[status]}>{t.directory.invitationStatus[status]}</Tag>
      </Cell>
      <Cell label={t.directory.sent}>
        <Time at={createdAt} />
      </Cell>
      <Cell label={t.directory.expires}>
        <time dateTime={expiresAt.toISOString()} title={dates.exact(expiresAt)}>
          {dates.date(expiresAt)}
        </time>
      </Cell>
      {acts && (isOpen ? <InvitationMenu invitation={invitation} /> : <td />)}
    </tr>
  );
}

function InvitationMenu({ invitation: { id, organizationId, email } }: { readonly invitation: Invitation }) {
  const { t } = useView();
  const place = organizationPath(organizationId);
  return (
    <MenuCell label={t.directory.actionsFor({ name: email })}>
      <Form action={place}>
        <input type="hidden" name="id" value={id} />
        <button type="submit" name="step" value={resendTo.step}>
          {t.directory.resend}
        </button>
      </Form>
      <a class="bad" href={confirmPath(place, revokeInvitation, { id })} data-confirm="yes">
        {t.directory.revoke}
      </a>
    </MenuCell>
  );
}

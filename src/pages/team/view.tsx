import type { AssignableRole } from "../../flows/roles/assignable-roles.ts";
import type { Invitation } from "../../models/invitation/invitation.ts";
import type { Member } from "../../models/member/members.ts";
import type { Profile } from "../../models/user/profile.ts";
import type { MemberRole } from "../../vocabulary/member-power.ts";
import { confirmPath } from "../action.ts";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Tile } from "../components/icon.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Pages, Row, Rows, Setting, Tag, Time, Until } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { OverflowMenu } from "../components/overflow.tsx";
import { Picture } from "../components/picture.tsx";
import { pathWith } from "../page.ts";
import { hasPower } from "../power.ts";
import { NoSelectBox, SelectBox, SelectionBar } from "../shared/selection-boxes.tsx";
import { useView } from "../view.tsx";
import {
  changeMemberRole,
  invite,
  leave,
  remove,
  removeSelected,
  resend,
  resendSelected,
  revoke,
  revokeSelected,
} from "./actions.ts";
import { DeletionSection } from "./deletion-section.tsx";
import { FurtherRoles } from "./further-roles.tsx";
import { JoinRequestSection } from "./join-requests.tsx";
import { memberRolesPath } from "./member-roles.tsx";
import { MEMBER_SESSIONS, TEAM } from "./paths.ts";
import { INVITATIONS, type TeamViewModel } from "./view-model.ts";

interface TeamProps {
  readonly profile: Profile;
  readonly organization: string;
  readonly userId: string;
  readonly viewModel: TeamViewModel | undefined;
  readonly state: FormState;
}

export function TeamBody(props: TeamProps) {
  const { t } = useView();
  const { profile, organization, viewModel } = props;
  return (
    <Shell at={TEAM} profile={profile}>
      <header class="head">
        <h1>{organization}</h1>
        {viewModel && (
          <div class="actions">
            <a class="button" href={MEMBER_SESSIONS}>
              {t.security.sessions}
            </a>
            <a class="button" href="/team/brand">
              {t.brand.open}
            </a>
          </div>
        )}
      </header>
      {viewModel ? (
        <>
          <JoinRequestSection requests={viewModel.joinRequests} />
          <InviteSection {...props} viewModel={viewModel} />
          <MemberSection {...props} viewModel={viewModel} />
          <DeletionSection />
        </>
      ) : (
        <Setting title={t.team.title}>
          <Rows>
            <Empty text={t.team.notYours}>
              <a class="button bad" href={confirmPath(TEAM, leave, { id: props.userId })} data-confirm="yes">
                {t.team.leave}
              </a>
            </Empty>
          </Rows>
        </Setting>
      )}
    </Shell>
  );
}

type PartProps = TeamProps & { readonly viewModel: TeamViewModel };

function RoleOptions({ roles, selected }: { readonly roles: readonly MemberRole[]; readonly selected: string }) {
  const { t } = useView();
  return (
    <>
      {roles.map((role) => (
        <option key={role} value={role} selected={role === selected}>
          {t.roles[role]}
        </option>
      ))}
    </>
  );
}

function InviteSection({ state, viewModel }: PartProps) {
  const { t } = useView();
  return (
    <Setting title={t.team.invite} lead={t.team.inviteLead}>
      <Problem state={state} />
      <Rows>
        <li>
          <Form action={TEAM} class="what stack near">
            <div class="bar">
              <Field name="email" type="email" label={t.common.email} state={state} autocomplete="off" />
              <div class="field narrow">
                <label for="role">{t.team.role}</label>
                <select id="role" name="role">
                  <RoleOptions roles={viewModel.grantable} selected={state.values?.role ?? "member"} />
                </select>
              </div>
              <Button kind="primary" name="step" value={invite.step}>
                {t.team.sendInvitation}
              </Button>
            </div>
            <FurtherRoles roles={viewModel.roles} state={state} />
          </Form>
        </li>
        {viewModel.invitations.items.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} roles={viewModel.roles} />
        ))}
      </Rows>
      <SelectionBar form="select-invitations" action={`${TEAM}/confirm`} actions={[resendSelected, revokeSelected]} />
      <Pages {...viewModel.invitations} path={TEAM} parameter={INVITATIONS} list={t.directory.invitations} />
    </Setting>
  );
}

interface InvitationProps {
  readonly invitation: Invitation;
  readonly roles: readonly AssignableRole[];
}

function InvitationRow({ invitation, roles }: InvitationProps) {
  const { t, dates } = useView();
  const { id, email, role, roleIds, createdAt, expiresAt } = invitation;
  const further = roles.flatMap((each) => (roleIds.includes(each.role.id) ? [each.role.name] : []));
  return (
    <Row
      tile={
        <>
          <SelectBox form="select-invitations" id={id} name={email} />
          <Tile name="mail" />
        </>
      }
      title={
        <>
          {email} <Tag>{t.team.open}</Tag>
        </>
      }
      details={
        <>
          {dates.list([t.roles[role], ...further])} · {t.team.sent} <Time at={createdAt} /> · <Until at={expiresAt} />
        </>
      }
    >
      <div class="actions">
        <Form action={TEAM}>
          <input type="hidden" name="id" value={id} />
          <Button name="step" value={resend.step} label={t.team.resendTo({ email })}>
            {t.team.resend}
          </Button>
        </Form>
        <a
          class="button bad"
          href={confirmPath(TEAM, revoke, { id })}
          data-confirm="yes"
          aria-label={`${t.team.revoke}: ${email}`}
        >
          {t.team.revoke}
        </a>
      </div>
    </Row>
  );
}

function MemberSection({ viewModel, userId }: PartProps) {
  const { t, organizationId } = useView();
  const { members, q } = viewModel;
  return (
    <Setting title={t.team.members({ count: members.total })}>
      {(members.total > 5 || q) && (
        <form class="bar" method="get" action={TEAM}>
          <div class="field">
            <label for="q">{t.team.search}</label>
            <input id="q" name="q" type="search" value={q} autocomplete="off" />
          </div>
          <Button>{t.team.find}</Button>
        </form>
      )}
      <Rows>
        {members.items.map((member) => (
          <MemberRow key={member.userId} member={member} viewModel={viewModel} isSelf={member.userId === userId} />
        ))}
        {members.items.length === 0 && <Empty text={t.team.noMatch({ q })} />}
      </Rows>
      <SelectionBar
        form="select-members"
        action={`${TEAM}/confirm`}
        actions={[removeSelected]}
        organizationId={organizationId}
      />
      <Pages {...members} path={pathWith(TEAM, { q })} list={t.directory.members} />
    </Setting>
  );
}

interface MemberProps {
  readonly member: Member;
  readonly viewModel: TeamViewModel;
  readonly isSelf: boolean;
}

function MemberRow({ member, viewModel, isSelf }: MemberProps) {
  const view = useView();
  const { t, dates } = view;
  const name = member.displayName ?? member.email;
  const isManageable = viewModel.grantable.includes(member.role);
  return (
    <li>
      {isManageable && !isSelf ? <SelectBox form="select-members" id={member.userId} name={name} /> : <NoSelectBox />}
      <Picture profile={member} small />
      <div class="what">
        <div>
          {name} {isSelf && <Tag>{t.team.you}</Tag>} {member.mfaEnabled && <Tag kind="good">{t.team.factor}</Tag>}
        </div>
        <small>
          {member.displayName && `${member.email} · `}
          {t.team.joined} <Time at={member.joinedAt} />
        </small>
        {member.roles.length > 0 && (
          <small>
            {t.customRoles.further}: {dates.list([...new Set(member.roles.map((role) => role.name))])}
          </small>
        )}
        {member.attributes && <small>{attributesText(member.attributes)}</small>}
      </div>
      <div class="line">
        <Tag>{t.roles[member.role]}</Tag>
        {(isManageable || hasPower(view, "members.role")) && (
          <MemberMenu name={name} member={member} viewModel={viewModel} isSelf={isSelf} />
        )}
      </div>
    </li>
  );
}

/** The attributes from the identity provider of the organization. */
function attributesText(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}: ${value}`)
    .join(" · ");
}

/** The roles that the reader can grant, and the removal. */
function MemberMenu({ name, member, viewModel, isSelf }: MemberProps & { readonly name: string }) {
  const view = useView();
  const { t, organizationId = "" } = view;
  const { userId, role } = member;
  const isManageable = viewModel.grantable.includes(role);
  return (
    <OverflowMenu label={t.directory.actionsFor({ name })}>
      {hasPower(view, "members.role") && !isSelf && <a href={memberRolesPath(userId)}>{t.customRoles.changeRoles}</a>}
      {viewModel.grantable
        .filter((each) => isManageable && each !== role)
        .map((each) => (
          <Form key={each} action={TEAM}>
            <input type="hidden" name="id" value={userId} />
            <input type="hidden" name="role" value={each} />
            <button type="submit" name="step" value={changeMemberRole.step}>
              {t.directory.makeRole[each]}
            </button>
          </Form>
        ))}
      {(isManageable || isSelf) && (
        <a
          class="bad"
          href={confirmPath(TEAM, isSelf ? leave : remove, { id: userId, organization: organizationId })}
          data-confirm="yes"
          aria-label={isSelf ? t.team.leave : `${t.common.remove}: ${name}`}
        >
          {isSelf ? t.team.leave : t.common.remove}
        </a>
      )}
    </OverflowMenu>
  );
}

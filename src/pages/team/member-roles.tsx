/** `/team/members/:id`: the further roles of a member of the session's organization, with their sources. */
import type { NamedChannel } from "../../base/problem.ts";
import { ok } from "../../base/result.ts";
import type { EmailDeps, SessionDeps } from "../../deps.ts";
import { readAccountChannels } from "../../flows/members/account-channels.ts";
import { findOrganizationMember } from "../../flows/members/list.ts";
import { assignRoles } from "../../flows/roles/assign-roles.ts";
import { type AssignableRole, listAssignableRoles } from "../../flows/roles/assignable-roles.ts";
import { authorizeRoles } from "../../flows/steps/authorization/authorize-roles.ts";
import { requireStepUp } from "../../flows/steps/sessions/step-up.ts";
import type { Member } from "../../models/member/members.ts";
import type { Profile } from "../../models/user/profile.ts";
import { holds } from "../../vocabulary/member-power.ts";
import { AccountChannels } from "../channel-question.tsx";
import { Actions, Button, Form, type FormState } from "../components/form.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Row, Rows, Setting, Tag } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { refusedPage } from "../error.tsx";
import { confirmsChannels } from "../fields.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, NOTHING_THERE, type Page, seeResult, uuidIn } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { roleMessages } from "../roles/role-access.ts";
import { ROLES_FIELD, RoleBoxes } from "../roles/role-boxes.tsx";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { creationsPath } from "./creations.tsx";

export function memberRolesPath(userId: string): string {
  return `/team/members/${userId}`;
}

type MemberRolesDeps = SessionDeps & EmailDeps & SignedInUserDeps;

export function memberRolesPage(deps: MemberRolesDeps): Page {
  return authenticatedPage({
    path: "/team/members/:id",
    ofOrganization: true,
    get: (call) => show(deps, call),
    async post(call) {
      const { caller: user, client, form } = call;
      const { organizationId } = user.session;
      const [{ view }, caller] = await Promise.all([
        signedInUser(deps, call),
        authorizeRoles(deps, { session: user.session }, organizationId, "members.role"),
      ]);
      if (!caller.ok) return refusedPage(view, caller.error, roleMessages(view));
      const roleIds = form.all(ROLES_FIELD).map(uuidIn);
      const userId = idOf(call);
      const steppedUp = roleIds.length > 0 ? requireStepUp(deps, user.session) : ok(undefined);
      const input = { caller: caller.value, userId, roleIds, confirm: confirmsChannels(form), client };
      const assigned = steppedUp.ok ? await assignRoles(deps, input) : steppedUp;
      if (assigned.ok) return seeResult("/team", "roles");
      const { memberAbove } = view.t.customRoles;
      const values = { [ROLES_FIELD]: roleIds.join(" ") };
      const texts = { role_ids: view.t.groups.tooManyRoles };
      const state = refusedForm(view, assigned.error, values, { forbidden: memberAbove }, texts);
      return await show(deps, call, state, refusedParts(assigned.error));
    },
  });
}

/** The id of the path; a malformed id becomes an id without a member. */
function idOf({ params }: AuthenticatedCall): string {
  return uuidIn(params.id ?? "");
}

async function show(deps: MemberRolesDeps, call: AuthenticatedCall, state: FormState = {}, parts: DisplayedParts = {}) {
  const { session } = call.caller;
  const [{ profile, view }, caller] = await Promise.all([
    signedInUser(deps, call),
    authorizeRoles(deps, { session }, session.organizationId, "members.role"),
  ]);
  if (!caller.ok) return refusedPage(view, caller.error, roleMessages(view));
  const [member, roles, channels] = await Promise.all([
    findOrganizationMember(deps, caller.value, idOf(call)),
    listAssignableRoles(deps, caller.value),
    readAccountChannels(deps, caller.value, idOf(call)),
  ]);
  if (!member) return refusedPage(view, NOTHING_THERE);
  const title = view.t.customRoles.rolesOf({ name: member.displayName ?? member.email });
  const isSelf = member.userId === session.userId;
  const canRemove = holds(caller.value, "members.remove");
  const body = <MemberRolesBody {...{ title, profile, member, roles, channels, isSelf, canRemove, state }} />;
  return showPage(view, { title, body, ...parts });
}

interface MemberRolesProps {
  readonly title: string;
  readonly profile: Profile;
  readonly member: Member;
  readonly roles: readonly AssignableRole[];
  /** Who else reaches the account. */
  readonly channels: readonly NamedChannel[];
  readonly isSelf: boolean;
  /** Whether the reader may end what the member created. */
  readonly canRemove: boolean;
  readonly state: FormState;
}

function MemberRolesBody({ title, profile, member, roles, channels, isSelf, canRemove, state }: MemberRolesProps) {
  const { t } = useView();
  const { elsewhere, elsewhereLead, further, lead, ownRoles } = t.customRoles;
  const manual = member.roles.filter(({ source }) => source === "manual").map(({ id }) => id);
  const others = member.roles.filter(({ source }) => source !== "manual");
  const place = memberRolesPath(member.userId);
  return (
    <Shell at="/team" inside profile={profile}>
      <SubPageHead above={[{ href: "/team", text: t.team.title }]} title={title} lead={lead} />
      <p>
        {t.team.role}: <Tag>{t.roles[member.role]}</Tag>
      </p>
      <AccountChannels channels={channels} />
      {canRemove && (
        <p>
          <a href={creationsPath(member.userId)}>{t.creations.link}</a>
        </p>
      )}
      <Setting title={further}>
        <Problem state={state} />
        {isSelf ? (
          <p class="soft">{ownRoles}</p>
        ) : (
          <Form action={place} class="panel stack">
            <RoleBoxes legend={further} roles={roles} selected={manual} state={state} />
            <Actions cancel="/team">
              <Button kind="primary">{t.common.save}</Button>
            </Actions>
          </Form>
        )}
      </Setting>
      {others.length > 0 && (
        <Setting title={elsewhere} lead={elsewhereLead}>
          <Rows>
            {others.map(({ id, name, key, source }) => (
              <Row key={`${id}/${source}`} title={name} details={<code>{key}</code>}>
                <Tag>{t.customRoles.sources[source]}</Tag>
              </Row>
            ))}
          </Rows>
        </Setting>
      )}
    </Shell>
  );
}

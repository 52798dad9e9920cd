import type { Listing } from "../../database/listing.ts";
import type { AssignableRole } from "../../flows/roles/assignable-roles.ts";
import type { GroupMember, ListedGroup } from "../../models/member-group/member-group.ts";
import type { Profile } from "../../models/user/profile.ts";
import { confirmPath } from "../action.ts";
import { Button, Field, Form } from "../components/form.tsx";
import { ItemHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Pages, Row, Rows, Setting, Tag, Time } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { directoryPath } from "../provisioning/paths.ts";
import { useView } from "../view.tsx";
import { addToGroup, deleteGroup, type GroupStates, removeFromGroup, saveGroup } from "./actions.ts";
import { GroupForm } from "./group-form.tsx";
import { GROUPS, groupPath } from "./paths.ts";

/** The first reason for which the reader cannot change the group; `open`: the reader can change the group. */
export type GroupEditing = "open" | "directory" | "permission" | "above";

interface GroupProps {
  readonly profile: Profile;
  readonly group: ListedGroup;
  readonly members: Listing<GroupMember>;
  readonly roles: readonly AssignableRole[];
  readonly editing: GroupEditing;
  readonly states: GroupStates;
}

export function GroupBody(props: GroupProps) {
  const { t } = useView();
  const { profile, group, roles, editing, states } = props;
  const place = groupPath(group.id);
  return (
    <Shell at={GROUPS} inside profile={profile}>
      <ItemHead
        list={{ path: GROUPS, title: t.groups.title }}
        name={group.name}
        tags={group.source === "directory" && <Tag>{t.provisioning.title}</Tag>}
      />
      {editing === "open" ? (
        <Setting title={t.customRoles.settings}>
          <Problem state={states.settings ?? {}} current={place} />
          <GroupForm action={place} step={saveGroup.step} stored={group} roles={roles} state={states.settings ?? {}} />
        </Setting>
      ) : (
        <FixedSection group={group} editing={editing} />
      )}
      <MembersSection {...props} />
      {editing === "open" && <DeletionSection group={group} />}
    </Shell>
  );
}

/** The roles of a group that the reader cannot change. */
function FixedSection({ group, editing }: { readonly group: ListedGroup; readonly editing: GroupEditing }) {
  const { t } = useView();
  const { fixed, rolesOfMembers } = t.groups;
  return (
    <Setting title={rolesOfMembers} lead={editing === "open" ? "" : fixed[editing]}>
      <Rows>
        {group.roles.map(({ id, name, key }) => (
          <Row key={id} title={name} details={<code>{key}</code>} />
        ))}
        {group.roles.length === 0 && <Empty text={t.provisioning.noRole} />}
      </Rows>
      {editing === "directory" && (
        <a class="button" href={directoryPath("groups")}>
          {t.provisioning.title}
        </a>
      )}
    </Setting>
  );
}

function MembersSection({ group, members, editing, states }: GroupProps) {
  const { t } = useView();
  const { add, addAction, noMembers } = t.groups;
  const state = states.add ?? {};
  return (
    <Setting title={t.team.members({ count: members.total })}>
      <Problem state={state} />
      <Rows>
        {editing === "open" && (
          <li>
            <Form action={groupPath(group.id)} class="what bar">
              <Field name="email" type="email" label={add} state={state} autocomplete="off" />
              <Button name="step" value={addToGroup.step}>
                {addAction}
              </Button>
            </Form>
          </li>
        )}
        {members.items.map((member) => (
          <MemberRow key={member.userId} group={group} member={member} canEdit={editing === "open"} />
        ))}
        {members.total === 0 && <Empty text={noMembers} />}
      </Rows>
      <Pages {...members} path={groupPath(group.id)} />
    </Setting>
  );
}

interface MemberRowProps {
  readonly group: ListedGroup;
  readonly member: GroupMember;
  readonly canEdit: boolean;
}

function MemberRow({ group, member: { userId, email, displayName, addedAt }, canEdit }: MemberRowProps) {
  const { t } = useView();
  const name = displayName ?? email;
  return (
    <Row
      title={name}
      details={
        <>
          {displayName && `${email} · `}
          {t.groups.addedAt} <Time at={addedAt} />
        </>
      }
    >
      {canEdit && (
        <Form action={groupPath(group.id)}>
          <input type="hidden" name="id" value={userId} />
          <Button name="step" value={removeFromGroup.step} label={`${t.common.remove}: ${name}`}>
            {t.common.remove}
          </Button>
        </Form>
      )}
    </Row>
  );
}

function DeletionSection({ group }: { readonly group: ListedGroup }) {
  const { t } = useView();
  const { remove, removeText } = t.groups;
  return (
    <Setting title={t.directory.danger}>
      <div class="box danger">
        <Rows>
          <Row title={remove} details={removeText}>
            <a class="button bad" href={confirmPath(GROUPS, deleteGroup, { id: group.id })} data-confirm="yes">
              {remove}
            </a>
          </Row>
        </Rows>
      </div>
    </Setting>
  );
}

import type { RoleWithUse } from "../../flows/roles/read-roles.ts";
import type { RoleHolder } from "../../models/organization-role/role-use.ts";
import type { Profile } from "../../models/user/profile.ts";
import type { MemberRole } from "../../vocabulary/member-power.ts";
import { confirmPath } from "../action.ts";
import type { FormState } from "../components/form.tsx";
import { ItemHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Pages, Row, Rows, Setting, Tag } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { Details } from "../components/table.tsx";
import { useView } from "../view.tsx";
import { deleteRole, saveRole } from "./actions.ts";
import { ROLES, rolePath } from "./paths.ts";
import { PermissionList } from "./permission-boxes.tsx";
import { groupsOf, type PermissionGroup } from "./permission-groups.ts";
import { RoleForm } from "./role-form.tsx";
import { usageText } from "./usage-text.ts";

interface RoleProps {
  readonly profile: Profile;
  readonly found: RoleWithUse;
  readonly groups: readonly PermissionGroup[];
  /** Why the reader cannot choose a permission. */
  readonly refusalOf: (permission: string) => string | undefined;
  readonly state: FormState;
}

export function RoleBody(props: RoleProps) {
  const { t } = useView();
  const { profile, found, groups } = props;
  const { role, editing } = found;
  const { fixed, key, settings, template, title } = t.customRoles;
  return (
    <Shell at={ROLES} inside profile={profile}>
      <ItemHead
        list={{ path: ROLES, title }}
        name={role.name}
        tags={role.organizationId === null && <Tag>{template}</Tag>}
      />
      {editing !== "open" && role.description && <p class="soft">{role.description}</p>}
      <Details details={[[key, <code>{role.key}</code>]]} />
      {editing === "open" ? (
        <Setting title={settings}>
          <EditSection {...props} />
        </Setting>
      ) : (
        <PermissionList groups={groupsOf(groups, role.permissions)} lead={fixed[editing]} />
      )}
      <HoldersSection found={found} />
      {editing === "open" && <DeletionSection found={found} />}
    </Shell>
  );
}

function EditSection({ found: { role }, groups, refusalOf, state }: RoleProps) {
  const place = rolePath(role.id);
  return (
    <>
      <Problem state={state} current={place} />
      <RoleForm
        action={place}
        cancel={ROLES}
        stored={role}
        step={saveRole.step}
        groups={groups}
        refusalOf={refusalOf}
        state={state}
      />
    </>
  );
}

function HoldersSection({ found: { role, holders, use } }: Pick<RoleProps, "found">) {
  const view = useView();
  const { members, noHolders } = view.t.customRoles;
  return (
    <Setting title={members} lead={usageText(view, use)}>
      <Rows>
        {holders.items.map((holder) => (
          <HolderRow key={holder.userId} holder={holder} />
        ))}
        {holders.total === 0 && <Empty text={noHolders} />}
      </Rows>
      <Pages {...holders} path={rolePath(role.id)} />
    </Setting>
  );
}

function HolderRow({ holder: { email, displayName, sources } }: { readonly holder: RoleHolder }) {
  const { t } = useView();
  return (
    <Row title={displayName ?? email} details={displayName && email}>
      <div class="line">
        {sources.map((source) => (
          <Tag key={source}>{t.customRoles.sources[source]}</Tag>
        ))}
      </div>
    </Row>
  );
}

function DeletionSection({ found: { role, use } }: Pick<RoleProps, "found">) {
  const view = useView();
  const { t } = view;
  const { remove, removeText, unused } = t.customRoles;
  const details = usageText(view, use) || unused;
  return (
    <Setting title={t.directory.danger}>
      <div class="box danger">
        <Rows>
          <Row title={remove} details={`${removeText} ${details}`}>
            <a class="button bad" href={confirmPath(ROLES, deleteRole, { id: role.id })} data-confirm="yes">
              {remove}
            </a>
          </Row>
        </Rows>
      </div>
    </Setting>
  );
}

interface BuiltInProps {
  readonly profile: Profile;
  readonly role: MemberRole;
  readonly groups: readonly PermissionGroup[];
  readonly held: readonly string[];
}

export function BuiltInRoleBody({ profile, role, groups, held }: BuiltInProps) {
  const { t } = useView();
  const { builtInLeads, builtInTag, fixedBuiltIn, title } = t.customRoles;
  return (
    <Shell at={ROLES} inside profile={profile}>
      <ItemHead list={{ path: ROLES, title }} name={t.roles[role]} tags={<Tag>{builtInTag}</Tag>} />
      <p class="soft">{builtInLeads[role]}</p>
      <PermissionList groups={groupsOf(groups, held)} lead={fixedBuiltIn} />
    </Shell>
  );
}

import type { ListedGroup } from "../../flows/directories/administer.ts";
import { previewVersion, type RolePreview } from "../../flows/directories/map-group.ts";
import { GrantChannels } from "../channel-question.tsx";
import { Actions, Button, Form } from "../components/form.tsx";
import { EmptyBox, Pages } from "../components/lists.tsx";
import { Cell, Table } from "../components/table.tsx";
import { useView } from "../view.tsx";
import { mapGroup } from "./actions.tsx";
import { DIRECTORY, directoryPath } from "./paths.ts";
import type { DirectoryViewModel } from "./view-model.ts";

/** The groups of the directory; a change of the role has a preview first. */
export function GroupsSection({ viewModel }: { readonly viewModel: DirectoryViewModel }) {
  const { t } = useView();
  const { group, groupsLead, members, noGroups, sections } = t.provisioning;
  const { channels, groups, preview } = viewModel;
  if (!groups) return null;
  return (
    <section class="stack" aria-label={sections.groups}>
      {preview ? <Preview preview={preview} /> : <p class="soft">{groupsLead}</p>}
      {groups.items.length === 0 ? (
        <EmptyBox icon="users" text={noGroups} />
      ) : (
        <Table label={sections.groups} columns={[group, members, t.team.role]}>
          {groups.items.map((each) => (
            <GroupRow key={each.id} group={each} />
          ))}
        </Table>
      )}
      <Pages {...groups} path={directoryPath("groups")} />
      <GrantChannels channels={channels} />
    </section>
  );
}

interface GroupRowProps {
  readonly group: ListedGroup;
}

function GroupRow({ group: { id, displayName, memberCount, role } }: GroupRowProps) {
  const { t, dates } = useView();
  const { members } = t.provisioning;
  return (
    <tr>
      <Cell>{displayName}</Cell>
      <Cell label={members}>{dates.number(memberCount)}</Cell>
      <Cell label={t.team.role}>
        <RoleForm id={id} name={displayName} role={role} />
      </Cell>
    </tr>
  );
}

interface RoleFormProps {
  readonly id: string;
  readonly name: string;
  readonly role: ListedGroup["role"];
}

/** By GET: the next page displays the effect of the change. */
function RoleForm({ id, name, role }: RoleFormProps) {
  const { t } = useView();
  const { changeRole, noRole, roleOf } = t.provisioning;
  const options = { "": noRole, member: t.roles.member, admin: t.roles.admin };
  return (
    <form method="get" action={DIRECTORY} class="line">
      <input type="hidden" name="section" value="groups" />
      <input type="hidden" name="group" value={id} />
      <select name="role" aria-label={roleOf({ group: name })}>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value} selected={value === (role ?? "")}>
            {text}
          </option>
        ))}
      </select>
      <Button label={`${changeRole}: ${name}`}>{changeRole}</Button>
    </form>
  );
}

/** The members whose role the mapping would change. */
function Preview({ preview }: { readonly preview: RolePreview }) {
  const { group, role, items, total } = preview;
  const { t } = useView();
  const { applyRole, noRole, previewMore, previewText, previewTitle } = t.provisioning;
  const rest = total - items.length;
  return (
    <Form action={DIRECTORY} class="panel stack">
      <h2>{previewTitle({ group: group.displayName, role: role ? t.roles[role] : noRole })}</h2>
      <p>{previewText({ count: total })}</p>
      {items.length > 0 && (
        <ul>
          {items.map(({ userId, email, from, to }) => (
            <li key={userId}>
              {email}: {t.roles[from]} → {t.roles[to]}
            </li>
          ))}
          {rest > 0 && <li>{previewMore({ count: rest })}</li>}
        </ul>
      )}
      <input type="hidden" name="group" value={group.id} />
      <input type="hidden" name="role" value={role ?? ""} />
      <input type="hidden" name="version" value={previewVersion(preview)} />
      <Actions cancel={directoryPath("groups")}>
        <Button kind="primary" name="step" value={mapGroup.step}>
          {applyRole}
        </Button>
      </Actions>
    </Form>
  );
}

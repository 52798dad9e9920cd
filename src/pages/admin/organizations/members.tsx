/** Members of an organization: search, roles, removal. */
import { clampPage, type Listing } from "../../../database/listing.ts";
import { listOrganizationMembers } from "../../../flows/members/list.ts";
import { organizationCallerOf } from "../../../flows/steps/authorization/authorize-member.ts";
import type { Member } from "../../../models/member/members.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import { confirmPath } from "../../action.ts";
import { Form } from "../../components/form.tsx";
import { EmptyBox, Pages, Tag, Time } from "../../components/lists.tsx";
import { Picture } from "../../components/picture.tsx";
import { Search } from "../../components/search.tsx";
import { AddressBelowName, Cell, MenuCell, Table } from "../../components/table.tsx";
import { pageNumber, pathWith, searchText } from "../../page.ts";
import { SelectBox, SelectionBar } from "../../shared/selection-boxes.tsx";
import { useView } from "../../view.tsx";
import { changeRoleOf, removeFrom, removeSelectedFrom } from "./actions.ts";
import { organizationPath, type ReadSection } from "./sections.tsx";

const MEMBERS_PER_PAGE = 25;
const ROLES = ["owner", "admin", "member"] as const;

export const readMembers: ReadSection = async ({ deps, call, organization, acts }) => {
  const caller = organizationCallerOf(call.admin, organization.id);
  const q = searchText(call.query);
  const page = clampPage(pageNumber(call.query), MEMBERS_PER_PAGE);
  const listed = await listOrganizationMembers(deps, { caller, q: q || undefined, page });
  const members = listed.ok ? listed.value : { ...page, items: [], total: 0 };
  return <Members organization={organization} members={members} q={q} acts={acts} />;
};

interface MembersProps {
  readonly organization: Organization;
  readonly members: Listing<Member>;
  readonly q: string;
  readonly acts: boolean;
}

function Members({ organization: { id, name }, members, q, acts }: MembersProps) {
  const { t } = useView();
  const { person, role, status, factor, joined, actions } = t.directory;
  const place = organizationPath(id, "members");
  return (
    <section class="stack" aria-label={t.directory.members}>
      <Search path={place} label={t.directory.searchMembers} q={q} kept={{ section: "members" }}>
        {acts && (
          <a class="button primary" href={organizationPath(id, "invitations")}>
            {t.directory.invite}
          </a>
        )}
      </Search>
      <p class="soft num">{t.directory.memberCount({ count: members.total })}</p>
      {members.items.length === 0 ? (
        <EmptyBox icon="users" text={q ? t.team.noMatch({ q }) : t.directory.noMembers} />
      ) : (
        <Table
          label={`${t.directory.members}, ${name}`}
          columns={[person, role, status, factor, joined]}
          actions={acts ? actions : undefined}
        >
          {members.items.map((member) => (
            <MemberRow key={member.userId} member={member} organizationId={id} acts={acts} />
          ))}
        </Table>
      )}
      {acts && (
        <SelectionBar form="select-members" action={`${organizationPath(id)}/confirm`} actions={[removeSelectedFrom]} />
      )}
      <Pages {...members} path={pathWith(place, { q })} />
    </section>
  );
}

interface MemberRowProps {
  readonly member: Member;
  readonly organizationId: string;
  readonly acts: boolean;
}

function MemberRow({ member, organizationId, acts }: MemberRowProps) {
  const { t } = useView();
  const { userId, email, displayName, role, disabled, mfaEnabled, joinedAt } = member;
  return (
    <tr>
      <Cell>
        <div class="person">
          {acts && <SelectBox form="select-members" id={userId} name={displayName ?? email} />}
          <Picture profile={member} small />
          <div class="what">
            <a href={`/admin/users/${userId}`}>{displayName ?? email}</a>
            {displayName && <AddressBelowName email={email} />}
          </div>
        </div>
      </Cell>
      <Cell label={t.directory.role}>{t.roles[role]}</Cell>
      <Cell label={t.directory.status}>
        <Tag kind={disabled ? "bad" : "good"}>{disabled ? t.users.disabled : t.users.enabled}</Tag>
      </Cell>
      <Cell label={t.directory.factor}>
        <Tag kind={mfaEnabled ? "good" : "plain"}>{mfaEnabled ? t.directory.factorOn : t.directory.factorOff}</Tag>
      </Cell>
      <Cell label={t.directory.joined}>
        <Time at={joinedAt} />
      </Cell>
      {acts && <MemberMenu member={member} organizationId={organizationId} />}
    </tr>
  );
}

function MemberMenu({ member, organizationId }: Omit<MemberRowProps, "acts">) {
  const { t } = useView();
  const { userId, displayName, email, role } = member;
  const place = organizationPath(organizationId);
  return (
    <MenuCell label={t.directory.actionsFor({ name: displayName ?? email })}>
      {ROLES.filter((each) => each !== role).map((each) => (
        <Form key={each} action={place}>
          <input type="hidden" name="id" value={userId} />
          <input type="hidden" name="role" value={each} />
          <button type="submit" name="step" value={changeRoleOf.step}>
            {t.directory.makeRole[each]}
          </button>
        </Form>
      ))}
      <a class="bad" href={confirmPath(place, removeFrom, { id: userId })} data-confirm="yes">
        {t.directory.remove}
      </a>
    </MenuCell>
  );
}

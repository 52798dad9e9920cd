import type { Listing } from "../../../database/listing.ts";
import { readOrganization } from "../../../flows/organizations/administer.ts";
import { requireStepUp } from "../../../flows/steps/sessions/step-up.ts";
import { countDisabledUsers, exportUsers, searchUsers } from "../../../flows/users/search.ts";
import type { Profile } from "../../../models/user/profile.ts";
import { resultText } from "../../action.ts";
import { Filters, type SelectFilter } from "../../components/filters.tsx";
import { Tag, Time } from "../../components/lists.tsx";
import { Picture } from "../../components/picture.tsx";
import { AddressBelowName, Cell, Table } from "../../components/table.tsx";
import { csvReply } from "../../csv.ts";
import type { Page } from "../../page.ts";
import { EmptyList, ListHead, ListPages } from "../../shared/list-parts.tsx";
import { isFiltered, listPath, sortColumn } from "../../shared/list-query.ts";
import { NoSelectBox, SelectBox, SelectionBar } from "../../shared/selection-boxes.tsx";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, mayAct, refuseConsole, showConsole } from "../console.tsx";
import { consoleActionPages, consoleFrame } from "../console-actions.tsx";
import { USER_FILTERS, USERS, type UserListQuery, userListIn, userSearch } from "./list.ts";
import { disableSelected, type ListDeps, signOutSelected, userListActions } from "./list-actions.ts";

export { USERS } from "./list.ts";

interface UsersProps {
  readonly list: UserListQuery;
  readonly listing: Listing<Profile>;
  /** The number of disabled users among the matching users. */
  readonly disabled: number;
  /** The name of the organization of the filter. */
  readonly organization: string | undefined;
  readonly acts: boolean;
}

function UsersBody({ list, listing, disabled, organization, acts }: UsersProps) {
  const { t, profile } = useView();
  const users = t.users.count({ total: listing.total });
  const columns = [
    sortColumn(list, t.users.person, "email"),
    t.users.organizations,
    t.console.status,
    t.users.lastSignIn,
    sortColumn(list, t.console.created, "created_at", "-"),
  ];
  return (
    <>
      <ListHead
        list={list}
        title={t.users.title}
        count={disabled > 0 ? `${users} · ${t.lists.usersDisabled({ count: disabled })}` : users}
        creation={acts ? [`${USERS}/new`, t.directory.newUser] : undefined}
      />
      {organization !== undefined && (
        <p>
          {t.lists.onlyMembers({ organization })} ·{" "}
          <a href={listPath(list, { organization_id: "" })}>{t.console.showAll}</a>
        </p>
      )}
      <UserFilters list={list} />
      {listing.items.length === 0 ? (
        <EmptyList list={list} icon="users" none={t.lists.noMatch} noMatch={t.users.noMatch({ q: list.q })} />
      ) : (
        <Table label={t.users.title} columns={columns}>
          {listing.items.map((user) => (
            <UserRow key={user.userId} user={user} isSelectable={acts && user.userId !== profile?.userId} />
          ))}
        </Table>
      )}
      {acts && (
        <SelectionBar form="select-users" action={`${USERS}/confirm`} actions={[signOutSelected, disableSelected]} />
      )}
      <ListPages list={list} total={listing.total} />
    </>
  );
}

function UserFilters({ list }: { readonly list: UserListQuery }) {
  const { t } = useView();
  const { status, platform_role, mfa_enabled, organization_id } = list.filters;
  const statuses = { enabled: t.users.enabled, disabled: t.users.disabled };
  const factors = { true: t.lists.factorOn, false: t.lists.factorOff };
  const selects: SelectFilter[] = [
    {
      name: "status",
      label: t.console.status,
      value: status,
      options: [["", t.lists.anyStatus], ...USER_FILTERS.status.map((each) => [each, statuses[each]] as const)],
    },
    {
      name: "platform_role",
      label: t.lists.role,
      value: platform_role,
      options: [
        ["", t.lists.anyRole],
        ...USER_FILTERS.platform_role.map((each) => [each, t.console.roles[each]] as const),
      ],
    },
    {
      name: "mfa_enabled",
      label: t.lists.factor,
      value: mfa_enabled,
      options: [["", t.lists.anyFactor], ...USER_FILTERS.mfa_enabled.map((each) => [each, factors[each]] as const)],
    },
  ];
  return (
    <Filters
      path={USERS}
      search={{ label: t.users.search, q: list.q }}
      selects={selects}
      days={[
        ["created_from", t.lists.createdFrom, list.createdFrom],
        ["created_to", t.lists.createdTo, list.createdTo],
      ]}
      kept={{ organization_id, sort: list.sortText }}
      filtered={isFiltered(list)}
    />
  );
}

function UserRow({ user, isSelectable }: { readonly user: Profile; readonly isSelectable: boolean }) {
  const { t } = useView();
  const [first, ...others] = user.organizations;
  const path = `${USERS}/${user.userId}`;
  return (
    <tr>
      <Cell>
        <div class="person">
          {isSelectable ? (
            <SelectBox form="select-users" id={user.userId} name={user.displayName ?? user.email} />
          ) : (
            <NoSelectBox />
          )}
          <Picture profile={user} small />
          <div class="what">
            {user.displayName ? (
              <>
                <a class="whole" href={path}>
                  {user.displayName}
                </a>
                <AddressBelowName email={user.email} />
              </>
            ) : (
              <a class="whole cut" href={path} title={user.email}>
                {user.email}
              </a>
            )}
          </div>
        </div>
      </Cell>
      <Cell label={t.users.organizations}>
        {first ? first.name : <span class="soft">{t.console.none}</span>}
        {others.length > 0 && <span class="soft"> +{others.length}</span>}
      </Cell>
      <Cell label={t.console.status}>
        <UserTags user={user} />
      </Cell>
      <Cell label={t.users.lastSignIn}>
        {user.lastLoginAt ? <Time at={user.lastLoginAt} /> : <span class="soft">{t.users.never}</span>}
      </Cell>
      <Cell label={t.console.created}>
        <Time at={user.createdAt} />
      </Cell>
    </tr>
  );
}

/** The status of the account, its platform role, its second factor. */
export function UserTags({ user }: { readonly user: Profile }) {
  const { t } = useView();
  return (
    <span class="tags">
      {user.disabled ? <Tag kind="bad">{t.users.disabled}</Tag> : <Tag kind="good">{t.users.enabled}</Tag>}
      {user.platformRole && <Tag>{t.console.roles[user.platformRole]}</Tag>}
      {user.mfaEnabled && <Tag kind="plain">{t.users.factor}</Tag>}
    </span>
  );
}

/** `/admin/users`: all users, newest first, with search, filters, orders and pages. */
export function userListPages(deps: ListDeps): readonly Page[] {
  return consoleActionPages(deps, {
    path: USERS,
    confirm: { path: "/admin/users/confirm" },
    frame: consoleFrame(USERS),
    actions: userListActions,
    place: () => USERS,
    async get({ call }) {
      const { admin: caller, query, view } = call;
      const list = userListIn(query);
      const input = { caller, search: userSearch(list) };
      const { organization_id: organizationId } = list.filters;
      const [listed, disabled, organization] = await Promise.all([
        searchUsers(deps, { ...input, page: list.page }),
        countDisabledUsers(deps, input),
        readOrganization(deps, caller, organizationId),
      ]);
      if (!listed.ok) return refuseConsole(call, listed.error, USERS);
      if (!disabled.ok) return refuseConsole(call, disabled.error, USERS);
      const named = organizationId === "" ? undefined : organization.ok ? organization.value.name : organizationId;
      const counts = { listing: listed.value, disabled: disabled.value };
      const body = <UsersBody list={list} {...counts} organization={named} acts={mayAct(caller)} />;
      const done = resultText(view, userListActions, call.result);
      return showConsole(call, { at: USERS, title: view.t.users.title, body, done, islands: ["selection"] });
    },
  });
}

/** `/admin/users/export`: the matching users as CSV. */
export function usersExportPage(deps: ListDeps): Page {
  return consolePage(deps, {
    path: "/admin/users/export",
    limitsGet: true,
    async get(call: ConsoleCall) {
      const { admin: caller, query } = call;
      const steppedUp = requireStepUp(deps, call.caller.session);
      if (!steppedUp.ok) return refuseConsole(call, steppedUp.error, USERS);
      const exported = await exportUsers(deps, { caller, search: userSearch(userListIn(query)) });
      if (!exported.ok) return refuseConsole(call, exported.error, USERS);
      return csvReply("users.csv", [CSV_HEAD, ...exported.value.map(csvRow)]);
    },
  });
}

/** The names of the API (docs/contract.md, section 4.5), in every language, so that programs can read the file. */
const CSV_HEAD = [
  "user_id",
  "email",
  "email_verified",
  "display_name",
  "status",
  "platform_role",
  "mfa_enabled",
  "organizations",
  "last_login_at",
  "created_at",
];

function csvRow(user: Profile): string[] {
  return [
    user.userId,
    user.email,
    String(user.emailVerified),
    user.displayName ?? "",
    user.disabled ? "disabled" : "enabled",
    user.platformRole ?? "",
    String(user.mfaEnabled),
    user.organizations.map(({ slug }) => slug).join(" "),
    user.lastLoginAt?.toISOString() ?? "",
    user.createdAt.toISOString(),
  ];
}

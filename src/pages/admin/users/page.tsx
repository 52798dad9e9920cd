import { clampPage, type Listing } from "../../../database/listing.ts";
import type { Deps } from "../../../deps.ts";
import { searchUsers } from "../../../flows/users/administer.ts";
import type { Profile } from "../../../models/user/profile.ts";
import { Pages, Tag, Time } from "../../components/lists.tsx";
import { Picture } from "../../components/picture.tsx";
import { Search } from "../../components/search.tsx";
import { Cell, Table } from "../../components/table.tsx";
import { type Page, pageNumber, pathWith, searchText } from "../../page.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, showConsole } from "../console.tsx";

export const USERS = "/admin/users";
const PER_PAGE = 25;

function UsersBody({ listing, q }: { readonly listing: Listing<Profile>; readonly q: string }) {
  const { t, dates } = useView();
  const { person, organizations, lastSignIn } = t.users;
  return (
    <>
      <header class="head">
        <h1>{t.users.title}</h1>
        <p class="soft num">{t.users.count(listing.total, dates.number(listing.total))}</p>
      </header>
      <Search path={USERS} label={t.users.search} q={q} />
      {listing.items.length === 0 ? (
        <p class="empty soft">{t.users.nobody(q)}</p>
      ) : (
        <Table label={t.users.title} columns={[person, organizations, t.console.status, lastSignIn]}>
          {listing.items.map((user) => (
            <UserRow key={user.userId} user={user} />
          ))}
        </Table>
      )}
      <Pages {...listing} path={pathWith(USERS, { q })} />
    </>
  );
}

function UserRow({ user }: { readonly user: Profile }) {
  const { t } = useView();
  const [first, ...others] = user.organizations;
  return (
    <tr>
      <Cell>
        <div class="person">
          <Picture profile={user} small />
          <div class="what">
            <a class="whole" href={`${USERS}/${user.userId}`}>
              {user.displayName ?? user.email}
            </a>
            {user.displayName && (
              <small class="cut" title={user.email}>
                {user.email}
              </small>
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

/** `/admin/users`: all users, newest first, with search by name and address. */
export function usersPage(deps: SignedInUserDeps & Pick<Deps, "reads">): Page {
  return consolePage(deps, {
    path: USERS,
    async get(call: ConsoleCall) {
      const { admin: caller, query, view } = call;
      const q = searchText(query);
      const page = clampPage(pageNumber(query), PER_PAGE);
      const listed = await searchUsers(deps, { caller, q: q || undefined, page });
      if (!listed.ok) return listed.error;
      const body = <UsersBody listing={listed.value} q={q} />;
      return showConsole(call, { at: USERS, title: view.t.users.title, body });
    },
  });
}

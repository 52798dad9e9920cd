import type { Listing } from "../../../database/listing.ts";
import type { SessionListItem } from "../../../models/session/session.ts";
import type { PlatformRole } from "../../../models/user/platform-role.ts";
import type { Profile } from "../../../models/user/profile.ts";
import { useDevice } from "../../components/device.ts";
import { Button, Form } from "../../components/form.tsx";
import { Empty, Pages, Row, Rows, Section, Tag, Time } from "../../components/lists.tsx";
import { Picture } from "../../components/picture.tsx";
import { Details } from "../../components/table.tsx";
import { pathWith } from "../../page.ts";
import { useView } from "../../view.tsx";
import { ORGANIZATIONS } from "../organizations/page.tsx";
import { USERS, UserTags } from "./page.tsx";

const ROLES = ["none", "viewer", "admin", "owner"] as const;

export interface UserProps {
  readonly user: Profile;
  readonly sessions: Listing<SessionListItem>;
  /** The role of the administrator. */
  readonly role: PlatformRole;
  readonly isSelf: boolean;
}

export function UserBody(props: UserProps) {
  const { t } = useView();
  const { user, role, isSelf } = props;
  const acts = role !== "viewer" && !isSelf;
  return (
    <>
      <header class="head">
        <p>
          <a href={USERS}>{t.users.title}</a>
        </p>
        <div class="person large">
          <Picture profile={user} />
          <h1>{user.displayName ?? user.email}</h1>
          <UserTags user={user} />
        </div>
      </header>
      {isSelf && <p class="note">{t.users.own}</p>}
      <UserDetails user={user} />
      <OrganizationsSection user={user} />
      {(role === "owner" || user.platformRole) && <RoleSection {...props} />}
      <SessionsSection {...props} acts={acts} />
      {acts && <AccessSection user={user} />}
    </>
  );
}

function UserDetails({ user }: { readonly user: Profile }) {
  const { t, dates } = useView();
  const { email, emailVerified, createdAt, lastLoginAt, locale, userId } = user;
  return (
    <div class="stack">
      <Details
        details={[
          [
            t.common.email,
            <>
              {email} {!emailVerified && <Tag>{t.account.unverified}</Tag>}
            </>,
          ],
          [t.users.lastSignIn, lastLoginAt ? <Time at={lastLoginAt} /> : t.users.never],
          [t.console.created, <Time at={createdAt} />],
          ...(locale ? ([[t.users.language, dates.languageName(locale)]] as const) : []),
          [t.console.id, <span class="mono">{userId}</span>],
        ]}
      />
      <p>
        <a href={pathWith("/admin/audit", { user_id: userId })}>{t.users.trail}</a>
      </p>
    </div>
  );
}

function OrganizationsSection({ user }: { readonly user: Profile }) {
  const { t } = useView();
  return (
    <Section title={t.users.organizations}>
      <Rows>
        {user.organizations.map(({ id, name, slug, role }) => (
          <Row key={id} title={<a href={`${ORGANIZATIONS}/${id}`}>{name}</a>} details={slug}>
            <Tag>{t.roles[role]}</Tag>
          </Row>
        ))}
        {user.organizations.length === 0 && <Empty text={t.users.noOrganizations} />}
      </Rows>
    </Section>
  );
}

function RoleSection({ user, role, isSelf }: UserProps) {
  const { t } = useView();
  const held = user.platformRole ?? "none";
  return (
    <Section title={t.users.role} lead={t.users.roleLead}>
      <Rows>
        <Row title={t.console.roles[held]} details={isSelf ? t.users.roleOwn : t.users.roleDetails[held]}>
          {role === "owner" && !isSelf && (
            <Form action={`${USERS}/${user.userId}`} class="inline">
              <select name="role" aria-label={t.users.role}>
                {ROLES.map((each) => (
                  <option key={each} value={each} selected={each === held}>
                    {t.console.roles[each]}
                  </option>
                ))}
              </select>
              <Button name="step" value="role">
                {t.users.save}
              </Button>
            </Form>
          )}
        </Row>
      </Rows>
    </Section>
  );
}

function SessionsSection({ user, sessions, acts }: UserProps & { readonly acts: boolean }) {
  const { t } = useView();
  const device = useDevice();
  const place = `${USERS}/${user.userId}`;
  return (
    <Section title={t.users.sessions}>
      <Rows>
        {sessions.items.map((session) => (
          <Row
            key={session.id}
            title={device(session.userAgent)}
            details={
              <>
                <span class="mono">{session.ipAddress}</span> · <Time at={session.lastUsedAt} />
              </>
            }
          />
        ))}
        {sessions.total === 0 && <Empty text={t.users.noSessions} />}
      </Rows>
      <Pages {...sessions} path={place} />
      {acts && sessions.total > 0 && (
        <a class="button bad" href={pathWith(`${place}/confirm`, { step: "end-sessions" })} data-confirm="yes">
          {t.users.endSessions}
        </a>
      )}
    </Section>
  );
}

function AccessSection({ user }: { readonly user: Profile }) {
  const { t } = useView();
  const place = `${USERS}/${user.userId}`;
  return (
    <Section title={t.users.access}>
      <Rows>
        {!user.emailVerified && (
          <LinkRow place={place} step="send-verification" title={t.lists.verification} action={t.lists.send} />
        )}
        {!user.disabled && <LinkRow place={place} step="send-reset" title={t.lists.reset} action={t.lists.send} />}
        {user.mfaEnabled && (
          <Row title={t.users.reset} details={t.users.resetDetails}>
            <a class="button bad" href={pathWith(`${place}/confirm`, { step: "reset-factor" })} data-confirm="yes">
              {t.users.reset}
            </a>
          </Row>
        )}
        {user.disabled ? (
          <Row title={t.users.enable} details={t.users.enableDetails}>
            <Form action={place}>
              <Button name="step" value="enable">
                {t.users.enable}
              </Button>
            </Form>
          </Row>
        ) : (
          <Row title={t.users.disable} details={t.users.disableDetails}>
            <a class="button bad" href={pathWith(`${place}/confirm`, { step: "disable" })} data-confirm="yes">
              {t.users.disable}
            </a>
          </Row>
        )}
      </Rows>
    </Section>
  );
}

interface LinkRowProps {
  readonly place: string;
  readonly step: "send-verification" | "send-reset";
  readonly title: string;
  readonly action: string;
}

/** A row that e-mails the user a link. */
function LinkRow({ place, step, title, action }: LinkRowProps) {
  return (
    <Row title={title}>
      <Form action={place}>
        <Button name="step" value={step} label={`${action}: ${title}`}>
          {action}
        </Button>
      </Form>
    </Row>
  );
}

/** The overview of a user: details, sign-in, the newest events, platform role, and access to the account. */
import type { ComponentChildren } from "preact";
import { clampPage } from "../../../database/listing.ts";
import { nameParties, type Parties } from "../../../flows/audit/name-parties.ts";
import { listIdentitiesOf, listPasskeysOf, type NamedIdentity } from "../../../flows/users/credentials.ts";
import type { AuditRecord } from "../../../models/audit/audit-log.ts";
import type { PlatformRole } from "../../../models/user/platform-role.ts";
import type { Profile } from "../../../models/user/profile.ts";
import { confirmPath } from "../../action.ts";
import { Button, Form } from "../../components/form.tsx";
import { Empty, Row, Rows, Section, Tag, Time } from "../../components/lists.tsx";
import { Facts } from "../../components/table.tsx";
import { useView } from "../../view.tsx";
import { Entries } from "../audit/entries.tsx";
import { readEvents } from "../audit/section.tsx";
import { DeletionRow } from "../deletion-row.tsx";
import { organizationPath } from "../organizations/sections.tsx";
import { USERS } from "./list.ts";
import { type ReadSection, userPath } from "./sections.tsx";
import {
  disableUser,
  enableUser,
  endSessions,
  grantRole,
  requestExport,
  resetFactor,
  sendReset,
  sendVerification,
} from "./user-actions.ts";

const ROLES = ["none", "viewer", "admin", "owner"] as const;

interface OverviewProps {
  readonly user: Profile;
  /** The role of the administrator. */
  readonly role: PlatformRole;
  readonly acts: boolean;
  readonly isSelf: boolean;
  readonly passkeys: number;
  readonly identities: readonly NamedIdentity[];
  /** The newest events whose actor is the user. */
  readonly events: readonly AuditRecord[];
  readonly parties: Parties;
}

/** The organizations and the events of the overview; the sections have all. */
const [ORGANIZATIONS_SHOWN, EVENTS_SHOWN] = [3, 5];

export const readOverview: ReadSection = async ({ deps, call, user, acts }) => {
  const { admin: caller } = call;
  const { userId } = user;
  const [passkeys, identities, events] = await Promise.all([
    listPasskeysOf(deps, { caller, userId, page: clampPage(1, 1) }),
    listIdentitiesOf(deps, { caller, userId }),
    readEvents(deps, call, { user_id: userId }, clampPage(1, EVENTS_SHOWN)),
  ]);
  const parties = await nameParties(deps, caller, events.items);
  const read = { passkeys: passkeys.total, identities, events: events.items, parties };
  return <Overview {...read} user={user} role={caller.role} acts={acts} isSelf={userId === caller.session.userId} />;
};

function Overview(props: OverviewProps) {
  const { user, role, acts } = props;
  return (
    <>
      <DetailsBox {...props} />
      <EventsSection {...props} />
      {(role === "owner" || user.platformRole) && <RoleSection {...props} />}
      {acts && <AccessSection user={user} />}
    </>
  );
}

function DetailsBox({ user, passkeys, identities }: OverviewProps) {
  const { t, dates } = useView();
  const { email, emailVerified, createdAt, lastLoginAt, locale, userId } = user;
  return (
    <section class="box" aria-labelledby="details">
      <header>
        <h2 id="details">{t.directory.details}</h2>
      </header>
      <Facts
        details={[
          [
            t.common.email,
            <>
              {email} {emailVerified ? <Tag kind="good">{t.account.verified}</Tag> : <Tag>{t.account.unverified}</Tag>}
            </>,
          ],
          [t.users.methods, <Methods user={user} passkeys={passkeys} identities={identities} />],
          [
            t.directory.factor,
            <a href={userPath(userId, "factors")}>{user.mfaEnabled ? t.directory.factorOn : t.directory.factorOff}</a>,
          ],
          [t.users.organizations, <OrganizationLinks user={user} />],
          [t.users.lastSignIn, lastLoginAt ? <Time at={lastLoginAt} /> : t.users.never],
          [t.console.created, <time dateTime={createdAt.toISOString()}>{dates.day(createdAt)}</time>],
          ...(locale ? ([[t.users.language, dates.languageName(locale)]] as const) : []),
          [t.console.id, <span class="mono">{userId}</span>],
        ]}
      />
    </section>
  );
}

/** The methods by which the user can sign in. A code by email is always possible. */
function Methods({ user, passkeys, identities }: Pick<OverviewProps, "user" | "passkeys" | "identities">) {
  const { t } = useView();
  const { methods } = t.directory;
  const providers = [...new Set(identities.map(({ providerName }) => providerName))];
  const named: readonly ComponentChildren[] = [
    ...(user.hasPassword ? [methods.password] : []),
    ...(passkeys > 0
      ? [<a href={userPath(user.userId, "factors")}>{t.users.passkeyCount({ count: passkeys })}</a>]
      : []),
    ...providers.map((name) => <a href={userPath(user.userId, "providers")}>{name}</a>),
    methods.email_otp,
  ];
  return <>{separated(named)}</>;
}

/** The parts of a list in one line. */
function separated(parts: readonly ComponentChildren[]): readonly ComponentChildren[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [", ", part]));
}

function OrganizationLinks({ user: { userId, organizations } }: { readonly user: Profile }) {
  const { t } = useView();
  if (organizations.length === 0) return <>{t.console.none}</>;
  const more = organizations.length - ORGANIZATIONS_SHOWN;
  return (
    <>
      {separated(
        organizations.slice(0, ORGANIZATIONS_SHOWN).map(({ id, name, role }) => (
          <>
            <a href={organizationPath(id)}>{name}</a> ({t.roles[role]})
          </>
        )),
      )}
      {more > 0 && (
        <>
          {" "}
          <a href={userPath(userId, "organizations")}>{t.flags.more({ count: more })}</a>
        </>
      )}
    </>
  );
}

/** The newest events, with failures and their reasons. */
function EventsSection({ user, events, parties }: OverviewProps) {
  const { t } = useView();
  return (
    <Section title={t.directory.lastActivity}>
      {events.length === 0 ? (
        <Rows>
          <Empty text={t.directory.noActivity} />
        </Rows>
      ) : (
        <>
          <Entries records={events} parties={parties} />
          <p>
            <a href={userPath(user.userId, "audit")}>{t.console.showAll}</a>
          </p>
        </>
      )}
    </Section>
  );
}

function RoleSection({ user, role, isSelf }: OverviewProps) {
  const { t } = useView();
  const held = user.platformRole ?? "none";
  const canHold = user.platformRole !== null || (user.emailVerified && !user.disabled);
  const details = canHold ? t.users.roleDetails[held] : t.users.roleConflict;
  return (
    <Section title={t.users.role} lead={t.users.roleLead}>
      <Rows>
        <Row title={t.console.roles[held]} details={isSelf ? t.users.roleOwn : details}>
          {role === "owner" && !isSelf && canHold && (
            <Form action={`${USERS}/${user.userId}`} class="inline">
              <select name="role" aria-label={t.users.role}>
                {ROLES.map((each) => (
                  <option key={each} value={each} selected={each === held}>
                    {t.console.roles[each]}
                  </option>
                ))}
              </select>
              <Button name="step" value={grantRole.step}>
                {t.users.save}
              </Button>
            </Form>
          )}
        </Row>
      </Rows>
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
          <LinkRow place={place} step={sendVerification.step} title={t.lists.verification} action={t.lists.send} />
        )}
        {!user.disabled && <LinkRow place={place} step={sendReset.step} title={t.lists.reset} action={t.lists.send} />}
        <Row title={t.users.endSessions} details={t.users.endSessionsDetails}>
          <a class="button bad" href={confirmPath(place, endSessions)} data-confirm="yes">
            {t.users.endSessions}
          </a>
        </Row>
        <Row title={t.users.exportData} details={t.users.exportDetails}>
          <Form action={place}>
            <Button name="step" value={requestExport.step}>
              {t.users.exportData}
            </Button>
          </Form>
        </Row>
        {user.mfaEnabled && (
          <Row title={t.users.reset} details={t.users.resetDetails}>
            <a class="button bad" href={confirmPath(place, resetFactor)} data-confirm="yes">
              {t.users.reset}
            </a>
          </Row>
        )}
        {user.disabled ? (
          <Row title={t.users.enable} details={t.users.enableDetails}>
            <Form action={place}>
              <Button name="step" value={enableUser.step}>
                {t.users.enable}
              </Button>
            </Form>
          </Row>
        ) : (
          <Row title={t.users.disable} details={t.users.disableDetails}>
            <a class="button bad" href={confirmPath(place, disableUser)} data-confirm="yes">
              {t.users.disable}
            </a>
          </Row>
        )}
        <DeletionRow subject={{ type: "user", id: user.userId }} deletionAt={user.deletionAt} />
      </Rows>
    </Section>
  );
}

interface LinkRowProps {
  readonly place: string;
  readonly step: string;
  readonly title: string;
  readonly action: string;
}

/** A row that emails the user a link. */
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

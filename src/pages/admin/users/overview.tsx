/** The overview of a user: details, platform role, and access to the account. */
import type { PlatformRole } from "../../../models/user/platform-role.ts";
import type { Profile } from "../../../models/user/profile.ts";
import { confirmPath } from "../../action.ts";
import { Button, Form } from "../../components/form.tsx";
import { Row, Rows, Section, Tag, Time } from "../../components/lists.tsx";
import { Facts } from "../../components/table.tsx";
import { useView } from "../../view.tsx";
import { DeletionRow } from "../deletion-row.tsx";
import { USERS } from "./list.ts";
import type { ReadSection } from "./sections.tsx";
import { disableUser, enableUser, grantRole, resetFactor, sendReset, sendVerification } from "./user-actions.ts";

const ROLES = ["none", "viewer", "admin", "owner"] as const;

interface OverviewProps {
  readonly user: Profile;
  /** The role of the administrator. */
  readonly role: PlatformRole;
  readonly acts: boolean;
  readonly isSelf: boolean;
}

export const readOverview: ReadSection = async ({ call: { admin }, user, acts }) => {
  const isSelf = user.userId === admin.session.userId;
  return <Overview user={user} role={admin.role} acts={acts} isSelf={isSelf} />;
};

function Overview(props: OverviewProps) {
  const { user, role, acts } = props;
  return (
    <>
      <DetailsBox user={user} />
      {(role === "owner" || user.platformRole) && <RoleSection {...props} />}
      {acts && <AccessSection user={user} />}
    </>
  );
}

function DetailsBox({ user }: { readonly user: Profile }) {
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
              {email} {!emailVerified && <Tag>{t.account.unverified}</Tag>}
            </>,
          ],
          [t.users.lastSignIn, lastLoginAt ? <Time at={lastLoginAt} /> : t.users.never],
          [t.console.created, <time dateTime={createdAt.toISOString()}>{dates.day(createdAt)}</time>],
          ...(locale ? ([[t.users.language, dates.languageName(locale)]] as const) : []),
          [t.console.id, <span class="mono">{userId}</span>],
        ]}
      />
    </section>
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

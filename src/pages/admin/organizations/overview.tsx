/** The overview of an organization: counts, details, settings, the last events, and the suspension. */
import { clampPage, type Listing } from "../../../database/listing.ts";
import { nameParties, type Parties } from "../../../flows/audit/name-parties.ts";
import { listOrganizationInvitations } from "../../../flows/invitations/manage.ts";
import { listApplicationsOf } from "../../../flows/organizations/applications.ts";
import { listOrganizationConnections } from "../../../flows/sso/connections/read.ts";
import { organizationCallerOf } from "../../../flows/steps/authorization/authorize-member.ts";
import { searchUsers } from "../../../flows/users/search.ts";
import type { AuditRecord } from "../../../models/audit/audit-log.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import type { FormState } from "../../components/form.tsx";
import { Time } from "../../components/lists.tsx";
import { Stat, Stats } from "../../components/stats.tsx";
import { Facts } from "../../components/table.tsx";
import { pathWith } from "../../page.ts";
import { useView } from "../../view.tsx";
import { eventName } from "../audit/entry.tsx";
import { readEvents } from "../audit/section.tsx";
import { ORGANIZATIONS } from "./list.ts";
import { type OrganizationCall, organizationPath, type ReadSection } from "./sections.tsx";
import { DangerZone, SettingsSection } from "./settings.tsx";

/** Only the total of the list counts. */
const COUNTED = clampPage(1, 1);
const LAST_EVENTS = clampPage(1, 5);

interface Counts {
  readonly members: number;
  readonly withoutFactor: number;
  readonly invitations: number;
  readonly applications: number;
  readonly connections: number;
}

/** Each count is the total of the list that the figure links to. */
async function readCounts({ deps, call, organization: { id: organizationId } }: OrganizationCall): Promise<Counts> {
  const { admin: caller } = call;
  const inside = organizationCallerOf(caller, organizationId);
  const [members, withoutFactor, invitations, applications, connections] = await Promise.all([
    searchUsers(deps, { caller, search: { organizationId }, page: COUNTED }),
    searchUsers(deps, { caller, search: { organizationId, mfaEnabled: false }, page: COUNTED }),
    listOrganizationInvitations(deps, { caller: inside, status: "pending", page: COUNTED }),
    listApplicationsOf(deps, { caller: inside, page: COUNTED }),
    listOrganizationConnections(deps, { caller: inside, page: COUNTED }),
  ]);
  return {
    members: members.ok ? members.value.total : 0,
    withoutFactor: withoutFactor.ok ? withoutFactor.value.total : 0,
    invitations: invitations.ok ? invitations.value.total : 0,
    applications: applications.total,
    connections: connections.ok ? connections.value.total : 0,
  };
}

export const readOverview: ReadSection = async (given) => {
  const { deps, call, organization, acts, state } = given;
  const [counts, events] = await Promise.all([
    readCounts(given),
    readEvents(deps, call, { organization_id: organization.id }, LAST_EVENTS),
  ]);
  const parties = await nameParties(deps, call.admin, events.items);
  return <Overview {...{ organization, counts, events, parties, acts, state }} />;
};

interface OverviewProps {
  readonly organization: Organization;
  readonly counts: Counts;
  readonly events: Listing<AuditRecord>;
  readonly parties: Parties;
  readonly acts: boolean;
  readonly state: FormState;
}

function Overview({ organization, counts, events, parties, acts, state }: OverviewProps) {
  return (
    <>
      <Figures organization={organization} counts={counts} />
      <DetailsBox organization={organization} />
      {acts && <SettingsSection organization={organization} state={state} />}
      <LastActivity organization={organization} events={events} parties={parties} />
      {acts && <DangerZone organization={organization} />}
    </>
  );
}

function Figures({ organization: { id }, counts }: Pick<OverviewProps, "organization" | "counts">) {
  const { t, dates } = useView();
  const { members, withoutFactor, invitations, applications, connections } = counts;
  const withoutHref = pathWith("/admin/users", { organization_id: id, mfa_enabled: "false" });
  return (
    <Stats>
      <Stat
        href={organizationPath(id, "members")}
        name={t.directory.members}
        value={dates.number(members)}
        note={t.directory.openInvitations({ count: invitations })}
      />
      <Stat
        href={withoutHref}
        name={t.directory.withoutFactor}
        value={dates.number(withoutFactor)}
        note={t.directory.ofMembers({ count: members })}
      />
      <Stat
        href={organizationPath(id, "applications")}
        name={t.directory.applications}
        value={dates.number(applications)}
      />
      <Stat
        href={organizationPath(id, "sso")}
        name={t.singleSignOn.title}
        value={dates.number(connections)}
        note={t.ssoConnections.title}
      />
    </Stats>
  );
}

function DetailsBox({ organization }: Pick<OverviewProps, "organization">) {
  const { t, dates } = useView();
  const { id, slug, tier, createdAt } = organization;
  return (
    <section class="box" aria-labelledby="details">
      <header>
        <h2 id="details">{t.directory.details}</h2>
        <a href={`${ORGANIZATIONS}/${id}/brand`}>{t.brand.title}</a>
      </header>
      <Facts
        details={[
          [t.organizations.slug, <span class="mono">{slug}</span>],
          [t.organizations.tier, t.organizations.tiers[tier]],
          [t.console.created, <time dateTime={createdAt.toISOString()}>{dates.day(createdAt)}</time>],
          [t.console.id, <span class="mono">{id}</span>],
        ]}
      />
    </section>
  );
}

function LastActivity({ organization, events, parties }: Pick<OverviewProps, "organization" | "events" | "parties">) {
  const { t } = useView();
  return (
    <section class="box" aria-labelledby="activity">
      <header>
        <h2 id="activity">{t.directory.lastActivity}</h2>
        <a href={organizationPath(organization.id, "audit")}>{t.audit.title}</a>
      </header>
      <ul class="rows">
        {events.items.map(({ eventId, action, actorId, timestamp }) => (
          <li key={eventId}>
            <span class="what">
              {eventName(t, action)}
              {actorId && <small>{parties.users.get(actorId) ?? actorId}</small>}
            </span>
            <Time at={timestamp} />
          </li>
        ))}
        {events.items.length === 0 && <li class="soft">{t.directory.noActivity}</li>}
      </ul>
    </section>
  );
}

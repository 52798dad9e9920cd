/** `/team/applications`: applications with access for members, requests of members, and the decisions. */
import { clampPage, type Listing } from "../../database/listing.ts";
import { displayRulesOf } from "../../flows/oauth/clients/client-identity.ts";
import { listDecisions } from "../../flows/organization-applications/decide-application.ts";
import { listApplicationsOf } from "../../flows/organizations/applications.ts";
import { authorizePermission } from "../../flows/steps/authorization/authorize-member.ts";
import type { OrganizationApplication } from "../../models/oauth-grant/oauth-grant.ts";
import type { ApplicationDecision } from "../../models/organization-application/organization-application.ts";
import type { Profile } from "../../models/user/profile.ts";
import { confirmPath, resultText } from "../action.ts";
import { type ActionPage, actionPage, confirmPage, shellFrame } from "../action-page.tsx";
import { ApplicationMark, applicationName, hostOf } from "../components/application.tsx";
import { Button, Form, type FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Pages, Row, Rows, Setting, Tag, Time } from "../components/lists.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { type Page, pageNumber } from "../page.ts";
import { versionOf } from "../shared/displayed-version.ts";
import { signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import {
  type ApplicationsInput,
  applicationActions,
  approveApplication,
  denyApplication,
  endAccess,
} from "./application-actions.ts";
import { TEAM_APPLICATIONS } from "./paths.ts";

const PAGE_SIZE = 25;
/** The page numbers of the requests and of the decisions, in the query. */
const [REQUESTS, DECISIONS] = ["requests", "decisions"];
/** Displayed hosts of an application, which may have 20 redirect URIs. */
const HOSTS_MAX = 3;

const PAGE: ActionPage<ApplicationsInput, FormState> = {
  frame: shellFrame(TEAM_APPLICATIONS),
  actions: applicationActions,
  place: () => TEAM_APPLICATIONS,
  problems: ({ t }) => ({ forbidden: t.applications.notYours }),
};

export function teamApplicationPages(deps: ApplicationsInput["deps"]): readonly Page[] {
  return [
    actionPage(deps, PAGE, { path: TEAM_APPLICATIONS, ofOrganization: true, get: (call) => show({ deps, call }) }),
    confirmPage(deps, PAGE, { path: "/team/applications/confirm", boundSession: "served" }),
  ];
}

async function show({ deps, call }: ApplicationsInput) {
  const { session } = call.caller;
  const [{ profile, view }, caller] = await Promise.all([
    signedInUser(deps, call),
    authorizePermission(deps, session, session.organizationId, "applications.manage"),
  ]);
  const { t } = view;
  if (!caller.ok) return refusedPage(view, caller.error, { forbidden: t.applications.notYours });
  const at = (name: string) => clampPage(pageNumber(call.query, name), PAGE_SIZE);
  const by = { caller: caller.value };
  const [used, requests, decisions] = await Promise.all([
    listApplicationsOf(deps, { ...by, page: clampPage(pageNumber(call.query), PAGE_SIZE) }),
    listDecisions(deps, { ...by, isOpen: true, page: at(REQUESTS) }),
    listDecisions(deps, { ...by, isOpen: false, page: at(DECISIONS) }),
  ]);
  const { title } = t.applications;
  const body = <ApplicationsBody profile={profile} used={used} requests={requests} decisions={decisions} />;
  const logos = used.items.map(({ client }) => client.logoUrl);
  const done = resultText(view, applicationActions, call.result);
  return showPage(view, { title, body, done, logos, islands: ["confirm"] });
}

interface BodyProps {
  readonly profile: Profile;
  readonly used: Listing<OrganizationApplication>;
  readonly requests: Listing<ApplicationDecision>;
  readonly decisions: Listing<ApplicationDecision>;
}

function ApplicationsBody({ profile, used, requests, decisions }: BodyProps) {
  const { t } = useView();
  const { decisionsLead, decisionsTitle, lead, none, noRequest, requestsLead, requestsTitle, title, usedTitle } =
    t.applications;
  return (
    <Shell at={TEAM_APPLICATIONS} profile={profile}>
      <header class="head">
        <h1>{title}</h1>
        <p>{lead}</p>
      </header>
      <Setting title={requestsTitle} lead={requestsLead}>
        <Rows>
          {requests.items.map((each) => (
            <DecisionRow key={each.client.id} decision={each} />
          ))}
          {requests.items.length === 0 && <Empty text={noRequest} />}
        </Rows>
        <Pages {...requests} path={TEAM_APPLICATIONS} parameter={REQUESTS} list={t.applications.requestsTitle} />
      </Setting>
      <Setting title={usedTitle}>
        <Rows>
          {used.items.map((each) => (
            <UsedRow key={each.client.id} application={each} />
          ))}
          {used.items.length === 0 && <Empty text={none} />}
        </Rows>
        <Pages {...used} path={TEAM_APPLICATIONS} list={t.applications.usedTitle} />
      </Setting>
      {decisions.total > 0 && (
        <Setting title={decisionsTitle} lead={decisionsLead}>
          <Rows>
            {decisions.items.map((each) => (
              <DecisionRow key={each.client.id} decision={each} />
            ))}
          </Rows>
          <Pages {...decisions} path={TEAM_APPLICATIONS} parameter={DECISIONS} list={t.applications.decisionsTitle} />
        </Setting>
      )}
    </Shell>
  );
}

function UsedRow({ application }: { readonly application: OrganizationApplication }) {
  const view = useView();
  const { t } = view;
  const { client, users, lastUsedAt } = application;
  const name = applicationName(view, client);
  return (
    <Row
      tile={<ApplicationMark client={client} small />}
      title={
        <>
          <strong>{name}</strong> {client.firstParty && <Tag>{t.directory.firstParty}</Tag>}
        </>
      }
      details={
        <>
          {t.directory.usedBy({ count: users })} · {t.oauth.used} <Time at={lastUsedAt} />
        </>
      }
    >
      <a
        class="button bad"
        href={confirmPath(TEAM_APPLICATIONS, endAccess, { id: client.id })}
        data-confirm="yes"
        aria-label={t.applications.endNamed({ name })}
      >
        {t.applications.end}
      </a>
    </Row>
  );
}

/** The redirect URIs of an application that an administrator registered are addresses of the application. */
function DecisionRow({ decision }: { readonly decision: ApplicationDecision }) {
  const view = useView();
  const { t, dates } = view;
  const { client, redirectUris, identityChangedAt, status, changed, requestedBy, requestedAt, decidedAt } = decision;
  const name = applicationName(view, client);
  const isNamed = displayRulesOf(client).identity === "name";
  const hosts = isNamed ? [...new Set(redirectUris.map(hostOf))].slice(0, HOSTS_MAX) : [];
  const at = status === "requested" ? requestedAt : decidedAt;
  const { approve, approveNamed, deny, denyNamed, requestOf, statuses } = t.applications;
  return (
    <Row
      title={
        <>
          <strong>{name}</strong> {changed && <Tag kind="bad">{t.applications.changed}</Tag>}
          {status !== "requested" && <Tag kind={status === "approved" ? "good" : "bad"}>{statuses[status]}</Tag>}
        </>
      }
      details={
        <>
          {dates.list(hosts)}
          {requestedBy && ` · ${requestOf({ name: requestedBy })}`}
          {at && (
            <>
              {" · "}
              <Time at={at} />
            </>
          )}
        </>
      }
    >
      <Form action={TEAM_APPLICATIONS} class="inline">
        <input type="hidden" name="id" value={client.id} />
        <input type="hidden" name="version" value={versionOf(identityChangedAt)} />
        {status !== "denied" && (
          <Button kind="bad" name="step" value={denyApplication.step} label={denyNamed({ name })}>
            {deny}
          </Button>
        )}
        {status !== "approved" && (
          <Button name="step" value={approveApplication.step} label={approveNamed({ name })}>
            {approve}
          </Button>
        )}
      </Form>
    </Row>
  );
}

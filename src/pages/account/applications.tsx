/** `/account/applications`: the applications with the user's consent, and the withdrawal of a consent. */

import { clampPage } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { displayRulesOf } from "../../flows/oauth/clients/client-identity.ts";
import type { EndFamiliesDeps } from "../../flows/oauth/clients/end-families.ts";
import { listOwnGrants } from "../../flows/oauth/consents/grants.ts";
import type { GrantItem } from "../../models/oauth-grant/oauth-grant.ts";
import type { Profile } from "../../models/user/profile.ts";
import type { Language } from "../../vocabulary/languages.ts";
import { confirmPath, resultText } from "../action.ts";
import { type ActionPage, actionPage, confirmPage, shellFrame } from "../action-page.tsx";
import { ApplicationMark, applicationName, hostOf } from "../components/application.tsx";
import type { FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Pages, Rows, Setting, Tag, Time } from "../components/lists.tsx";
import { showPage } from "../html.tsx";
import { type DescribedScope, describeScopes } from "../oauth/describe-scopes.ts";
import { AccessList, describeAccess } from "../oauth/requested-access.tsx";
import { type AuthenticatedCall, type Page, pageNumber } from "../page.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";
import { APPLICATIONS, type GrantsInput, grantActions, removeGrant } from "./grant-actions.ts";

const PAGE_SIZE = 25;
/** Displayed hosts of an application, which may have 20 redirect URIs. */
const HOSTS_MAX = 3;

/** A grant with the scopes in the language of the user. */
interface DisplayedGrant extends Omit<GrantItem, "scopes"> {
  readonly scopes: readonly DescribedScope[];
}

interface BodyProps {
  readonly profile: Profile;
  readonly grants: readonly DisplayedGrant[];
  readonly page: number;
  readonly total: number;
}

function ApplicationsBody({ profile, grants, page, total }: BodyProps) {
  const { t } = useView();
  return (
    <Shell at={APPLICATIONS} profile={profile}>
      <h1>{t.oauth.applications}</h1>
      <Setting title={t.oauth.allowed} lead={t.oauth.applicationsLead}>
        <Rows>
          {grants.map((grant) => (
            <GrantRow key={grant.id} grant={grant} />
          ))}
          {grants.length === 0 && <Empty text={t.oauth.none} />}
        </Rows>
        <Pages path={APPLICATIONS} page={page} pageSize={PAGE_SIZE} total={total} />
      </Setting>
    </Shell>
  );
}

function GrantRow({ grant }: { readonly grant: DisplayedGrant }) {
  const view = useView();
  const { t, dates } = view;
  const name = applicationName(view, grant.client);
  // Redirect URIs are claims of the application, unless an administrator registered the application.
  const isNamed = displayRulesOf(grant.client).identity === "name";
  const hosts = isNamed ? [...new Set(grant.redirectUris.map(hostOf))].slice(0, HOSTS_MAX) : [];
  return (
    <li class="grant">
      <ApplicationMark client={grant.client} small />
      <div class="what">
        <div>
          <strong>{name}</strong> {grant.client.firstParty && <Tag>{t.oauth.ours}</Tag>}
        </div>
        <small>
          {hosts.length > 0 && `${dates.list(hosts)} · `}
          {t.oauth.since({ day: dates.day(grant.createdAt) })}
          {grant.lastUsedAt && (
            <>
              {" · "}
              {t.oauth.used} <Time at={grant.lastUsedAt} />
            </>
          )}
        </small>
        <AccessList access={describeAccess(view, grant)} />
      </div>
      <a
        class="button bad"
        href={confirmPath(APPLICATIONS, removeGrant, { id: grant.id })}
        data-confirm="yes"
        aria-label={t.oauth.takeBackFrom({ name })}
      >
        {t.oauth.takeBack}
      </a>
    </li>
  );
}

type ApplicationsDeps = EndFamiliesDeps & SignedInUserDeps & Pick<Deps, "reads" | "oauthClients" | "oauthResources">;

/** APIs of the grant come before further APIs of the application. */
async function displayGrant(deps: ApplicationsDeps, grant: GrantItem, language: Language): Promise<DisplayedGrant> {
  const client = await deps.oauthClients.load(grant.client.id);
  const resources = [...grant.resources, ...(client?.resources ?? [])];
  return { ...grant, scopes: describeScopes(deps, { scopes: grant.scopes, resources, language }) };
}

const PAGE: ActionPage<GrantsInput, FormState> = {
  frame: shellFrame(APPLICATIONS),
  actions: grantActions,
  place: () => APPLICATIONS,
  defaultStep: removeGrant.step,
};

export function applicationsPages(deps: ApplicationsDeps): readonly Page[] {
  return [
    actionPage(deps, PAGE, { path: APPLICATIONS, get: (call) => show(deps, call) }),
    confirmPage(deps, PAGE, { path: "/account/applications/confirm" }),
  ];
}

async function show(deps: ApplicationsDeps, call: AuthenticatedCall) {
  const { profile, view } = await signedInUser(deps, call);
  const page = clampPage(pageNumber(call.query), PAGE_SIZE);
  const listing = await listOwnGrants(deps, { caller: call.caller.session, page });
  const done = resultText(view, grantActions, call.result);
  const grants = await Promise.all(listing.items.map((grant) => displayGrant(deps, grant, view.language)));
  const props = { profile, grants, page: page.page, total: listing.total };
  const logos = listing.items.map(({ client }) => client.logoUrl);
  const body = <ApplicationsBody {...props} />;
  return showPage(view, { title: view.t.oauth.applications, body, done, logos, islands: ["confirm"] });
}

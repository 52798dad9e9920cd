/** Connections and domains of an organization, and the transfer of a domain that another organization holds. */
import { clampPage, type Listing } from "../../../database/listing.ts";
import { listOrganizationDomains } from "../../../flows/organization-domains/manage.ts";
import type { ConnectionView } from "../../../flows/sso/connections/read.ts";
import { listOrganizationConnections } from "../../../flows/sso/connections/read.ts";
import { listOrganizationIdentities } from "../../../flows/sso/identities/list.ts";
import { readPolicy } from "../../../flows/sso/policy/replace.ts";
import { organizationCallerOf } from "../../../flows/steps/authorization/authorize-member.ts";
import { DOMAIN_TRANSFER_REASON_MAX_CHARACTERS, SSO_PAUSE_REASON_MAX_CHARACTERS } from "../../../limits/sso-limits.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import type { OrganizationDomain } from "../../../models/organization-domain/organization-domain.ts";
import type { IdentityListItem } from "../../../models/sso-identity/identity-list.ts";
import type { SsoPolicy } from "../../../models/sso-policy/sso-policy.ts";
import type { ProtocolConfig } from "../../../vocabulary/sso/protocol-config.ts";
import { Button, Field, Form, type FormState } from "../../components/form.tsx";
import { EmptyBox, Section, Tag, Time } from "../../components/lists.tsx";
import { Cell, Table } from "../../components/table.tsx";
import { pageNumber } from "../../page.ts";
import { DOMAIN_TAGS } from "../../single-sign-on/domains-view.tsx";
import { IdentitiesSection } from "../../single-sign-on/identities-view.tsx";
import { providerName, StatusTag } from "../../single-sign-on/parts.tsx";
import { useView } from "../../view.tsx";
import { mayAct } from "../console.tsx";
import { endPause, pauseRequirement, transferClaim } from "./actions.ts";
import { organizationPath, type ReadSection } from "./sections.tsx";

/** More than the domains and connections of an organization. */
const LIST_SIZE = 100;
const ACCOUNTS_PER_PAGE = 25;

export const readSingleSignOn: ReadSection = async ({ deps, call, organization, state }) => {
  const list = { caller: organizationCallerOf(call.admin, organization.id), page: clampPage(1, LIST_SIZE) };
  const accounts = {
    caller: { caller: list.caller, scope: { organizationId: organization.id } },
    page: clampPage(pageNumber(call.query), ACCOUNTS_PER_PAGE),
  };
  const [connections, domains, identities, policy] = await Promise.all([
    listOrganizationConnections(deps, list),
    listOrganizationDomains(deps, list),
    listOrganizationIdentities(deps, accounts),
    readPolicy(deps, list.caller),
  ]);
  return (
    <SingleSignOn
      organization={organization}
      connections={connections.ok ? connections.value.items : []}
      domains={domains.ok ? domains.value.items : []}
      identities={identities.ok ? identities.value : undefined}
      policy={policy.ok ? policy.value : undefined}
      acts={mayAct(call.admin)}
      state={state}
    />
  );
};

interface SingleSignOnProps {
  readonly organization: Organization;
  readonly connections: readonly ConnectionView[];
  readonly domains: readonly OrganizationDomain[];
  readonly identities: Listing<IdentityListItem> | undefined;
  readonly policy: SsoPolicy | undefined;
  /** Whether the user is an Admin. */
  readonly acts: boolean;
  readonly state: FormState;
}

function SingleSignOn(props: SingleSignOnProps) {
  const { organization, connections, domains, identities, policy, acts, state } = props;
  const { id } = organization;
  const claims = domains.filter(({ conflict }) => conflict);
  const place = organizationPath(id, "sso");
  return (
    <>
      <Connections connections={connections} />
      <Domains domains={domains} />
      {identities && <IdentitiesSection identities={identities} path={place} canEdit={false} />}
      {policy && <Requirement {...{ policy, place, acts, state }} />}
      {acts && claims.map((claim) => <Transfer key={claim.id} {...{ claim, place, state }} />)}
    </>
  );
}

function Connections({ connections }: Pick<SingleSignOnProps, "connections">) {
  const { t } = useView();
  const { title, console } = t.ssoConnections;
  const { connection: nameHead, lastSignIn, noConnections } = console;
  const { issuer } = t.connect;
  return (
    <Section title={title}>
      {connections.length === 0 ? (
        <EmptyBox icon="passkey" text={noConnections} />
      ) : (
        <Table label={title} columns={[nameHead, issuer, lastSignIn]}>
          {connections.map(({ connection: { id, name, preset, status, lastSuccessAt, ...settings } }) => (
            <tr key={id}>
              <Cell>
                {name} <StatusTag status={status} />
                <br />
                <small class="soft">{providerName(t, preset)}</small>
              </Cell>
              <Cell label={issuer}>{issuerOf(settings) ?? "–"}</Cell>
              <Cell label={lastSignIn}>{lastSuccessAt ? <Time at={lastSuccessAt} /> : "–"}</Cell>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

function issuerOf({ protocol, config }: ProtocolConfig): string | null {
  return protocol === "oidc" ? config.issuer : config.entity_id;
}

function Domains({ domains }: Pick<SingleSignOnProps, "domains">) {
  const { t } = useView();
  const { domain: name, domains: title, statuses } = t.singleSignOn;
  const { claimed, lastCheck, noDomains } = t.ssoConnections.console;
  return (
    <Section title={title}>
      {domains.length === 0 ? (
        <EmptyBox icon="globe" text={noDomains} />
      ) : (
        <Table label={title} columns={[name, lastCheck]}>
          {domains.map(({ id, domain, status, conflict, checkedAt }) => (
            <tr key={id}>
              <Cell>
                {domain} <Tag kind={DOMAIN_TAGS[status]}>{statuses[status]}</Tag>{" "}
                {conflict && <Tag kind="warn">{claimed}</Tag>}
              </Cell>
              <Cell label={lastCheck}>{checkedAt ? <Time at={checkedAt} /> : "–"}</Cell>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

interface RequirementProps extends Pick<SingleSignOnProps, "acts" | "state"> {
  readonly policy: SsoPolicy;
  readonly place: string;
}

/** The requirement of single sign-on, its pause for 24 hours, and the end of a pause. */
function Requirement({ policy: { mode, requiredAt, pausedUntil }, place, acts, state }: RequirementProps) {
  const { t, dates, site } = useView();
  const { console } = t.ssoPolicy;
  const now = site.clock.now();
  const isPaused = pausedUntil !== null && pausedUntil.getTime() > now;
  const isLater = requiredAt !== null && requiredAt.getTime() > now;
  const required = isLater ? console.since({ time: dates.minute(requiredAt) }) : console.on;
  const paused = isPaused ? console.until({ time: dates.minute(pausedUntil) }) : required;
  return (
    <Section title={console.title} lead={mode === "required" ? paused : console.off}>
      {mode === "required" && acts && (
        <Form action={place} class="panel stack">
          {isPaused ? null : <PauseFields state={state} />}
          <div class="actions">
            <Button name="step" value={isPaused ? endPause.step : pauseRequirement.step}>
              {isPaused ? console.end : console.pause}
            </Button>
          </div>
        </Form>
      )}
    </Section>
  );
}

function PauseFields({ state }: Pick<SingleSignOnProps, "state">) {
  const { t } = useView();
  const { reasonHint, text } = t.ssoPolicy.console;
  return (
    <>
      <p class="soft">{text}</p>
      <Field
        name="pause_reason"
        label={t.ssoConnections.console.reason}
        hint={reasonHint}
        maxlength={SSO_PAUSE_REASON_MAX_CHARACTERS}
        state={state}
      />
    </>
  );
}

interface TransferProps {
  readonly claim: OrganizationDomain;
  readonly place: string;
  readonly state: FormState;
}

function Transfer({ claim: { id, domain }, place, state }: TransferProps) {
  const { reason, reasonHint, transfer, transferText, transferTitle } = useView().t.ssoConnections.console;
  return (
    <Section title={transferTitle({ domain })} lead={transferText}>
      <Form action={place} class="panel stack">
        <input type="hidden" name="id" value={id} />
        <Field
          name="reason"
          id={`reason-${id}`}
          label={reason}
          hint={reasonHint}
          maxlength={DOMAIN_TRANSFER_REASON_MAX_CHARACTERS}
          state={state.values?.id === id ? state : {}}
        />
        <div class="actions">
          <Button kind="bad" name="step" value={transferClaim.step}>
            {transfer}
          </Button>
        </div>
      </Form>
    </Section>
  );
}

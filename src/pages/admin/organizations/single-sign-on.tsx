/** Connections and domains of an organization, and the transfer of a domain that another organization holds. */
import { clampPage } from "../../../database/listing.ts";
import { listOrganizationDomains } from "../../../flows/organization-domains/manage.ts";
import type { ConnectionView } from "../../../flows/sso-connections/read.ts";
import { listOrganizationConnections } from "../../../flows/sso-connections/read.ts";
import { organizationCallerOf } from "../../../flows/steps/authorization/authorize-member.ts";
import { DOMAIN_TRANSFER_REASON_MAX_CHARACTERS } from "../../../limits/sso-limits.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import type { OrganizationDomain } from "../../../models/organization-domain/organization-domain.ts";
import type { ProtocolConfig } from "../../../models/sso-connection/protocol-config.ts";
import { Button, Field, Form, type FormState } from "../../components/form.tsx";
import { Section, Tag, Time } from "../../components/lists.tsx";
import { EditAfterStepUp } from "../../components/step-up-again.tsx";
import { Cell, Table } from "../../components/table.tsx";
import { DOMAIN_TAGS } from "../../single-sign-on/domains-view.tsx";
import { providerName, StatusTag } from "../../single-sign-on/parts.tsx";
import { useView } from "../../view.tsx";
import { type EditPermission, editPermission } from "../console.tsx";
import { organizationPath, type ReadSection } from "./sections.tsx";

/** More than the domains and connections of an organization. */
const LIST_SIZE = 100;

export const readSingleSignOn: ReadSection = async ({ deps, call, organization, state }) => {
  const list = { caller: organizationCallerOf(call.admin, organization.id), page: clampPage(1, LIST_SIZE) };
  const [connections, domains, may] = await Promise.all([
    listOrganizationConnections(deps, list),
    listOrganizationDomains(deps, list),
    editPermission(deps, call),
  ]);
  return (
    <SingleSignOn
      organization={organization}
      connections={connections.ok ? connections.value.items : []}
      domains={domains.ok ? domains.value.items : []}
      may={may}
      state={state}
    />
  );
};

interface SingleSignOnProps {
  readonly organization: Organization;
  readonly connections: readonly ConnectionView[];
  readonly domains: readonly OrganizationDomain[];
  readonly may: EditPermission;
  readonly state: FormState;
}

function SingleSignOn({ organization: { id }, connections, domains, may, state }: SingleSignOnProps) {
  const claims = domains.filter(({ conflict }) => conflict);
  const place = organizationPath(id, "sso");
  return (
    <>
      <Connections connections={connections} />
      <Domains domains={domains} />
      {may === "edit" && claims.map((claim) => <Transfer key={claim.id} {...{ claim, place, state }} />)}
      {may === "see" && claims.length > 0 && <EditAfterStepUp at={place} />}
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
        <p class="empty soft">{noConnections}</p>
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
        <p class="empty soft">{noDomains}</p>
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

interface TransferProps {
  readonly claim: OrganizationDomain;
  readonly place: string;
  readonly state: FormState;
}

function Transfer({ claim: { id, domain }, place, state }: TransferProps) {
  const { reason, reasonHint, transfer, transferText, transferTitle } = useView().t.ssoConnections.console;
  return (
    <Section title={transferTitle(domain)} lead={transferText}>
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
          <Button kind="bad" name="step" value="transfer">
            {transfer}
          </Button>
        </div>
      </Form>
    </Section>
  );
}

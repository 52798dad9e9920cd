import type { Listing } from "../../database/listing.ts";
import type { ConnectionView } from "../../flows/sso/connections/read.ts";
import type { OrganizationDomain } from "../../models/organization-domain/organization-domain.ts";
import type { SetupLink } from "../../models/setup-link/setup-link.ts";
import type { IdentityListItem } from "../../models/sso-identity/identity-list.ts";
import type { SsoPolicy } from "../../models/sso-policy/sso-policy.ts";
import type { Profile } from "../../models/user/profile.ts";
import type { SetupIntent } from "../../vocabulary/setup-intent.ts";
import { CopyResults } from "../components/copy.tsx";
import { CreateLink } from "../components/create-link.tsx";
import type { FormState } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Shell } from "../components/layout.tsx";
import { Empty, Row, Rows, Section, Time } from "../components/lists.tsx";
import { useView } from "../view.tsx";
import type { CheckedView } from "./domain-actions.ts";
import { DomainsSection } from "./domains-view.tsx";
import { IdentitiesSection } from "./identities-view.tsx";
import { providerName, StatusTag } from "./parts.tsx";
import { connectionPath, NEW_CONNECTION, SSO, SSO_POLICY } from "./paths.ts";
import { PROTOCOL_NAMES } from "./preset-choice.tsx";
import { PresetMark } from "./preset-mark.tsx";
import { SetupLinksSection } from "./setup-links-view.tsx";

/** The settings of an organization for single sign-on. */
export interface SsoSettings {
  readonly connections: readonly ConnectionView[];
  readonly domains: readonly OrganizationDomain[];
  readonly policy: SsoPolicy;
  readonly identities: Listing<IdentityListItem>;
  readonly setupLinks: readonly SetupLink[];
  /** The tasks that the user may pass on by a set-up link. */
  readonly setupTasks: readonly SetupIntent[];
}

interface SingleSignOnProps {
  readonly profile: Profile;
  readonly settings: SsoSettings;
  /** The form of a domain. */
  readonly state: FormState;
  /** The form of a set-up link. */
  readonly linkState: FormState;
  readonly checked: CheckedView | undefined;
}

export function SingleSignOnBody({ profile, settings, state, linkState, checked }: SingleSignOnProps) {
  const { t } = useView();
  return (
    <Shell at={SSO} profile={profile}>
      <header class="head">
        <div>
          <h1>{t.singleSignOn.title}</h1>
          <p>{t.ssoConnections.lead}</p>
        </div>
        <CreateLink href={NEW_CONNECTION} text={t.ssoConnections.create} />
      </header>
      <ConnectionsSection connections={settings.connections} />
      <PolicySection policy={settings.policy} />
      <DomainsSection place={SSO} canRemove domains={settings.domains} state={state} checked={checked} />
      <IdentitiesSection identities={settings.identities} path={SSO} canEdit />
      <SetupLinksSection links={settings.setupLinks} tasks={settings.setupTasks} state={linkState} />
      <CopyResults />
    </Shell>
  );
}

function ConnectionsSection({ connections }: Pick<SsoSettings, "connections">) {
  const { t } = useView();
  return (
    <Section title={t.ssoConnections.title}>
      <Rows>
        {connections.length === 0 && <Empty text={t.ssoConnections.none} />}
        {connections.map((view) => (
          <ConnectionRow key={view.connection.id} {...view} />
        ))}
      </Rows>
    </Section>
  );
}

function ConnectionRow({ connection: { id, name, preset, protocol, status, lastSuccessAt } }: ConnectionView) {
  const { t } = useView();
  const { lastSignIn, noSignIn } = t.ssoConnections;
  return (
    <Row
      tile={<PresetMark preset={preset} />}
      title={
        <>
          <a class="whole" href={connectionPath(id)}>
            {name}
          </a>{" "}
          <StatusTag status={status} />
        </>
      }
      details={
        <>
          {providerName(t, preset)} · {PROTOCOL_NAMES[protocol]} ·{" "}
          {lastSuccessAt ? (
            <>
              {lastSignIn} <Time at={lastSuccessAt} />
            </>
          ) : (
            noSignIn
          )}
        </>
      }
    >
      <Icon name="chevron" small directed />
    </Row>
  );
}

function PolicySection({ policy: { mode, jit } }: Pick<SsoSettings, "policy">) {
  const { t } = useView();
  const { modes, jits, jit: admission } = t.ssoPolicy;
  return (
    <Section title={t.ssoPolicy.title}>
      <Rows>
        <Row title={modes[mode]} details={`${admission}: ${jits[jit]}`}>
          <a class="button" href={SSO_POLICY}>
            {t.ssoPolicy.open}
          </a>
        </Row>
      </Rows>
    </Section>
  );
}

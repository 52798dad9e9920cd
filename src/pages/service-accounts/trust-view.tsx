/** The page of a trust: what the trust accepts and permits, the set-up of the program, and the test of a token. */
import { tokenEndpointOf } from "../../flows/oauth/request/authenticate-client.ts";
import { trustPreset, trustSetupOf } from "../../flows/service-accounts/trust-presets.ts";
import type { ListedTrust } from "../../models/service-account/trust.ts";
import type { TrustCondition } from "../../vocabulary/federation.ts";
import { confirmPath } from "../action.ts";
import { Area } from "../components/area.tsx";
import { CopyBlock, CopyResults } from "../components/copy.tsx";
import { Button, Form, type FormState } from "../components/form.tsx";
import { ItemHead } from "../components/item-head.tsx";
import { Section, Tag, Time } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { Facts } from "../components/table.tsx";
import type { Texts } from "../texts/catalogue.ts";
import { useView } from "../view.tsx";
import { type FormProps, scopeText } from "./forms.tsx";
import type { Scope } from "./parts.tsx";
import { trailPath, trustPath } from "./place.ts";
import { deleteTrust, disableTrust, enableTrust, testTrust } from "./trust-actions.tsx";
import { presetName } from "./trust-form.tsx";
import type { DisplayedPart } from "./view-model.ts";

type TrustPart = Extract<DisplayedPart, { kind: "trust" }>;

export function TrustPage({ scope, part, state }: FormProps & { readonly part: TrustPart }) {
  const { t } = useView();
  const { trust } = part;
  const { off, title } = t.serviceAccounts;
  return (
    <>
      <ItemHead
        list={{ path: scope.basePath, title }}
        name={trust.name}
        tags={trust.disabled ? <Tag>{off}</Tag> : undefined}
      >
        {scope.canEdit && <TrustButtons scope={scope} trust={trust} />}
      </ItemHead>
      <Problem state={state} />
      <TrustDetails scope={scope} part={part} />
      <Setup part={part} />
      <TestForm scope={scope} trust={trust} state={state} />
      <CopyResults />
    </>
  );
}

interface TrustProps {
  readonly scope: Scope;
  readonly trust: ListedTrust;
}

const idOf = ({ serviceAccountId, id }: ListedTrust) => `${serviceAccountId}/${id}`;

function TrustButtons({ scope: { basePath }, trust }: TrustProps) {
  const { t } = useView();
  const { switchOn, switchOff, deleteAccount } = t.serviceAccounts;
  const id = idOf(trust);
  return (
    <Form action={basePath} class="line">
      <input type="hidden" name="id" value={id} />
      {trust.disabled ? (
        <Button name="step" value={enableTrust.step}>
          {switchOn}
        </Button>
      ) : (
        <Button name="step" value={disableTrust.step}>
          {switchOff}
        </Button>
      )}
      <a class="button bad" href={confirmPath(basePath, deleteTrust, { id })} data-confirm="yes">
        {deleteAccount}
      </a>
    </Form>
  );
}

/** A condition in words. */
function conditionText({ serviceAccounts }: Texts, condition: TrustCondition): string {
  const { is, isOneOf, startsWith } = serviceAccounts.trusts;
  const { claim } = condition;
  if ("equals" in condition) return is({ claim, value: String(condition.equals) });
  if ("one_of" in condition) return isOneOf({ claim, values: condition.one_of.map(String).join(", ") });
  return startsWith({ claim, value: condition.starts_with });
}

function TrustDetails({ scope: { basePath }, part: { account, trust } }: { scope: Scope; part: TrustPart }) {
  const { t, dates } = useView();
  const { trusts, mayDo, reach, everyOrganization, created, createdBy, lastUsedHead, neverUsed } = t.serviceAccounts;
  const isOfPlatform = account.organizationId === null;
  const reached = trust.organizations === null ? everyOrganization : dates.number(trust.organizations.length);
  return (
    <Facts
      details={[
        [trusts.account, account.name],
        [trusts.inputs.issuer, <span class="mono">{trust.issuer}</span>],
        [trusts.audience, <Lines texts={trust.audiences} />],
        [trusts.inputs.conditions, <Lines texts={trust.conditions.map((each) => conditionText(t, each))} />],
        [mayDo, <Lines texts={trust.scopes.map((scope) => scopeText(t, scope) ?? scope)} />],
        ...(isOfPlatform ? ([[reach, reached]] as const) : []),
        ...(trust.allowedIps.length > 0 ? ([[trusts.addresses, <Lines texts={trust.allowedIps} />]] as const) : []),
        [trusts.tokenLifetime, dates.span(trust.tokenSeconds)],
        [trusts.greatestAge, dates.span(trust.maxAgeSeconds)],
        [trusts.uses, trust.singleUse ? trusts.once : trusts.repeatedly],
        [
          created,
          <>
            <Time at={trust.createdAt} /> {trust.creator && <small>{createdBy({ name: trust.creator })}</small>}
          </>,
        ],
        [
          lastUsedHead,
          <>
            {trust.lastUsedAt ? <Time at={trust.lastUsedAt} /> : <span class="soft">{neverUsed}</span>}{" "}
            <a href={trailPath(basePath, account.id)}>{t.serviceAccounts.whatItDid}</a>
          </>,
        ],
      ]}
    />
  );
}

function Lines({ texts }: { readonly texts: readonly string[] }) {
  return (
    <>
      {texts.map((text) => (
        <div key={text}>{text}</div>
      ))}
    </>
  );
}

/** The commands of the program; nothing of them is secret. */
function Setup({ part: { account, trust, preset } }: { readonly part: TrustPart }) {
  const { t, site } = useView();
  const { setup, setupText } = t.serviceAccounts.trusts;
  const issuer = site.config.urls.publicBaseUrl;
  const values = { tokenUrl: tokenEndpointOf(issuer), clientId: account.id, audience: trust.audiences[0] ?? issuer };
  return (
    <Section title={setup} lead={setupText}>
      <CopyBlock id="trust-setup" label={presetName(t, preset)} text={trustSetupOf(trustPreset(preset), values)} />
    </Section>
  );
}

function TestForm({ scope: { basePath }, trust, state }: TrustProps & { readonly state: FormState }) {
  const { t } = useView();
  const { test, testHint, testAction, token } = t.serviceAccounts.trusts;
  return (
    <Section title={test}>
      <Form action={trustPath(basePath, trust)} class="panel stack" repeatable>
        <input type="hidden" name="id" value={idOf(trust)} />
        <Area name="assertion" label={token} hint={testHint} state={state} />
        <div class="actions">
          <Button name="step" value={testTrust.step}>
            {testAction}
          </Button>
        </div>
      </Form>
    </Section>
  );
}

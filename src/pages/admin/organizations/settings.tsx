import type { Listing } from "../../../database/listing.ts";
import type { OrganizationFlag } from "../../../flows/feature-flags/administer.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import { Button, Field, Form, type FormState, Problem, StoredNow } from "../../components/form.tsx";
import { Pages, Row, Rows, Section, Tag, Time } from "../../components/lists.tsx";
import { Details } from "../../components/table.tsx";
import { useView } from "../../view.tsx";
import { versionOf } from "../displayed-version.ts";
import { ORGANIZATIONS, SuspendedTag } from "./page.tsx";

const TIERS = ["standard", "enterprise"] as const;
const OVERRIDES = ["default", "on", "off"] as const;

export interface OrganizationProps {
  readonly organization: Organization;
  readonly flags: Listing<OrganizationFlag>;
  readonly acts: boolean;
  readonly state: FormState;
}

export function OrganizationBody(props: OrganizationProps) {
  const { t } = useView();
  const { organization, flags, acts } = props;
  const { id, slug, createdAt } = organization;
  return (
    <>
      <header class="head">
        <p>
          <a href={ORGANIZATIONS}>{t.organizations.title}</a>
        </p>
        <h1>
          {organization.name} <SuspendedTag suspended={organization.suspended} />
        </h1>
      </header>
      <Details
        details={[
          [t.organizations.slug, <span class="mono">{slug}</span>],
          [t.organizations.tier, t.organizations.tiers[organization.tier]],
          [t.console.created, <Time at={createdAt} />],
          [t.console.id, <span class="mono">{id}</span>],
        ]}
      />
      {acts && <SettingsSection {...props} />}
      {flags.total > 0 && <FlagsSection {...props} />}
      {acts && <AccessSection {...props} />}
    </>
  );
}

/** `stored`: the value that another administrator has stored since the form was displayed, if the value differs. */
export function TierField({ selected, stored }: { readonly selected: string; readonly stored?: string | undefined }) {
  const { t } = useView();
  const tier = TIERS.find((each) => each === stored);
  return (
    <div class="field">
      <label for="tier">{t.organizations.tier}</label>
      <select id="tier" name="tier" aria-describedby={tier && "tier-stored"}>
        {TIERS.map((tier) => (
          <option key={tier} value={tier} selected={tier === selected}>
            {t.organizations.tiers[tier]}
          </option>
        ))}
      </select>
      <StoredNow id="tier" text={tier && t.organizations.tiers[tier]} />
    </div>
  );
}

function SettingsSection({ organization, state }: OrganizationProps) {
  const { t } = useView();
  const { id, name, tier, updatedAt } = organization;
  const { values, stored } = state;
  return (
    <Section title={t.organizations.settings}>
      <Problem state={state} current={`${ORGANIZATIONS}/${id}`} />
      <Form action={`${ORGANIZATIONS}/${id}`} class="panel bar">
        <input type="hidden" name="version" value={values?.version || versionOf(updatedAt)} />
        <Field name="name" label={t.organizations.name} state={state} value={name} />
        <TierField selected={values?.tier ?? tier} stored={stored?.tier} />
        <Button kind="primary" name="step" value="save">
          {t.common.save}
        </Button>
      </Form>
    </Section>
  );
}

function FlagsSection({ organization: { id }, flags, acts }: OrganizationProps) {
  const { t } = useView();
  return (
    <Section title={t.organizations.flags} lead={t.organizations.flagsLead}>
      <Rows>
        {flags.items.map((item) => (
          <FlagRow key={item.flag.key} item={item} place={`${ORGANIZATIONS}/${id}`} acts={acts} />
        ))}
      </Rows>
      <Pages {...flags} path={`${ORGANIZATIONS}/${id}`} />
    </Section>
  );
}

interface FlagRowProps {
  readonly item: OrganizationFlag;
  readonly place: string;
  readonly acts: boolean;
}

function FlagRow({ item: { flag, override, value }, place, acts }: FlagRowProps) {
  const { t } = useView();
  const { key, description } = flag;
  const text = t.organizations.override[override];
  return (
    <Row
      title={
        <>
          <span class="mono">{key}</span> <Tag kind={value ? "good" : "plain"}>{value ? t.flags.on : t.flags.off}</Tag>
        </>
      }
      details={description}
    >
      {acts ? (
        <Form action={place} class="inline">
          <input type="hidden" name="key" value={key} />
          <select name="override" aria-label={t.organizations.overrideOf(key)}>
            {OVERRIDES.map((each) => (
              <option key={each} value={each} selected={each === override}>
                {t.organizations.override[each]}
              </option>
            ))}
          </select>
          <Button name="step" value="flag" label={t.organizations.saveOverride(key)}>
            {t.common.save}
          </Button>
        </Form>
      ) : (
        <span class="soft">{text}</span>
      )}
    </Row>
  );
}

function AccessSection({ organization }: OrganizationProps) {
  const { t } = useView();
  const place = `${ORGANIZATIONS}/${organization.id}`;
  return (
    <Section title={t.organizations.access}>
      <Rows>
        {organization.suspended ? (
          <Row title={t.organizations.restore} details={t.organizations.restoreDetails}>
            <Form action={place}>
              <Button name="step" value="restore">
                {t.organizations.restore}
              </Button>
            </Form>
          </Row>
        ) : (
          <Row title={t.organizations.suspend} details={t.organizations.suspendDetails}>
            <a class="button bad" href={`${place}/confirm`} data-confirm="yes">
              {t.organizations.suspend}
            </a>
          </Row>
        )}
      </Rows>
    </Section>
  );
}

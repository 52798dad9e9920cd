import type { Organization } from "../../../models/organization/organization.ts";
import { confirmPath } from "../../action.ts";
import { Button, Field, Form, type FormState, StoredNow } from "../../components/form.tsx";
import { Row, Rows, Section } from "../../components/lists.tsx";
import { Problem } from "../../components/notices.tsx";
import { versionOf } from "../../shared/displayed-version.ts";
import { useView } from "../../view.tsx";
import { DeletionRow } from "../deletion-row.tsx";
import { restore, saveSettings, suspend } from "./actions.ts";
import { ORGANIZATIONS } from "./list.ts";

const TIERS = ["standard", "enterprise"] as const;

interface SettingsProps {
  readonly organization: Organization;
  readonly state: FormState;
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

export function SettingsSection({ organization, state }: SettingsProps) {
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
        <Button kind="primary" name="step" value={saveSettings.step}>
          {t.common.save}
        </Button>
      </Form>
    </Section>
  );
}

/** Suspension and restoration, the last section of the page. */
export function DangerZone({ organization }: { readonly organization: Organization }) {
  const { t } = useView();
  const place = `${ORGANIZATIONS}/${organization.id}`;
  return (
    <Section title={t.directory.danger}>
      <div class="box danger">
        <Rows>
          {organization.suspended ? (
            <Row title={t.organizations.restore} details={t.organizations.restoreDetails}>
              <Form action={place}>
                <Button name="step" value={restore.step}>
                  {t.organizations.restore}
                </Button>
              </Form>
            </Row>
          ) : (
            <Row title={t.organizations.suspend} details={t.organizations.suspendDetails}>
              <a class="button bad" href={confirmPath(place, suspend)} data-confirm="yes">
                {t.organizations.suspend}
              </a>
            </Row>
          )}
          <DeletionRow subject={{ type: "organization", id: organization.id }} deletionAt={organization.deletionAt} />
        </Rows>
      </div>
    </Section>
  );
}

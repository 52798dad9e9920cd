import type { Directory } from "../../models/directory/directory.ts";
import { Choice } from "../components/choice.tsx";
import { Button, Form } from "../components/form.tsx";
import { Section } from "../components/lists.tsx";
import { useView } from "../view.tsx";
import { saveDirectory } from "./actions.tsx";
import { DIRECTORY } from "./paths.ts";

interface SettingsProps {
  readonly directory: Directory;
}

export function SettingsSection({ directory }: SettingsProps) {
  const { t } = useView();
  const { defaultRole, outsideDomains, outsideRules, roleSource, roleSources, settings } = t.provisioning;
  const { admin, member } = t.roles;
  const values = {
    default_role: directory.defaultRole,
    outside_domains: directory.outsideDomains,
    role_source: directory.roleSource,
  };
  return (
    <Section title={settings}>
      <Form action={DIRECTORY} class="panel stack">
        <Choice name="role_source" label={roleSource} options={roleSources} state={{ values }} />
        <Choice name="default_role" label={defaultRole} options={{ member, admin }} state={{ values }} />
        <Choice name="outside_domains" label={outsideDomains} options={outsideRules} state={{ values }} />
        <div class="actions">
          <Button kind="primary" name="step" value={saveDirectory.step}>
            {t.common.save}
          </Button>
        </div>
      </Form>
    </Section>
  );
}

/** The metadata of a user, and the id in the system of a program (docs/contract.md, section 36.1). */
import { readAdministeredUser } from "../../../flows/users/administer.ts";
import { EXTERNAL_ID_MAX_CHARACTERS } from "../../../limits/management-limits.ts";
import { Area } from "../../components/area.tsx";
import { Button, Field, Form, type FormState } from "../../components/form.tsx";
import { Problem } from "../../components/notices.tsx";
import { Details } from "../../components/table.tsx";
import { useView } from "../../view.tsx";
import { USERS } from "./list.ts";
import { saveMetadata, storedValues } from "./metadata-actions.ts";
import type { ReadSection } from "./sections.tsx";

/** The section. `refused`: the refused form. */
export function metadataSection(refused?: FormState): ReadSection {
  return async ({ deps, call, user: { userId }, acts }) => {
    const user = await readAdministeredUser(deps, call.admin, userId);
    const values = user.ok ? storedValues(user.value) : {};
    if (acts) return <MetadataForm userId={userId} state={refused ?? { values }} />;
    return <DisplayedMetadata values={values} />;
  };
}

function DisplayedMetadata({ values }: { readonly values: Partial<ReturnType<typeof storedValues>> }) {
  const { t } = useView();
  const { none } = t.console;
  return (
    <section class="panel stack" aria-label={t.directory.metadata}>
      <Details
        details={[
          [t.directory.externalId, values.external_id || none],
          [t.directory.publicMetadata, <JsonText text={values.public_metadata || none} />],
          [t.directory.privateMetadata, <JsonText text={values.private_metadata || none} />],
        ]}
      />
    </section>
  );
}

function JsonText({ text }: { readonly text: string }) {
  return <span class="mono">{text}</span>;
}

function MetadataForm({ userId, state }: { readonly userId: string; readonly state: FormState }) {
  const { t } = useView();
  const { publicMetadata, publicMetadataHint, privateMetadata, privateMetadataHint } = t.directory;
  return (
    <>
      <Problem state={state} />
      <Form action={`${USERS}/${userId}`} class="panel stack">
        <input type="hidden" name="version" value={state.values?.version} />
        <Field
          name="external_id"
          label={t.directory.externalId}
          hint={t.directory.externalIdHint}
          state={state}
          maxlength={EXTERNAL_ID_MAX_CHARACTERS}
          optional
        />
        <Area name="public_metadata" label={publicMetadata} hint={publicMetadataHint} state={state} optional />
        <Area name="private_metadata" label={privateMetadata} hint={privateMetadataHint} state={state} optional />
        <div class="actions">
          <Button kind="primary" name="step" value={saveMetadata.step}>
            {t.common.save}
          </Button>
        </div>
      </Form>
    </>
  );
}

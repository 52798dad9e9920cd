import type { PreviewedClaim } from "../../../flows/oauth/preview/preview-claims.ts";
import { EMAIL_MAX_CHARACTERS, SLUG_MAX_CHARACTERS } from "../../../limits/account-limits.ts";
import { CopyBlock, CopyResults } from "../../components/copy.tsx";
import { Button, Field, Form, type FormState } from "../../components/form.tsx";
import { Section, Tag } from "../../components/lists.tsx";
import { Problem } from "../../components/notices.tsx";
import { Cell, Table } from "../../components/table.tsx";
import { useView } from "../../view.tsx";
import { previewClaims } from "./actions.ts";
import { type ClaimsTarget, claimsPath, type DisplayedPreview } from "./owner.ts";

interface PreviewProps {
  readonly target: ClaimsTarget;
  readonly state: FormState;
  readonly preview: DisplayedPreview | undefined;
}

/** The form, and the result beside the form where the width suffices. */
export function PreviewSection({ target, state, preview }: PreviewProps) {
  const { lead, title } = useView().t.mappings.preview;
  return (
    <Section id="preview" title={title} lead={lead}>
      <div class="cols big">
        <div class="stack">
          <Problem state={state} current={claimsPath(target)} />
          <Form action={claimsPath(target)} class="panel stack" repeatable>
            <PreviewFields state={state} />
          </Form>
        </div>
        {preview && <PreviewResult preview={preview} />}
      </div>
    </Section>
  );
}

interface FieldsProps {
  readonly state: FormState;
  /** The form has another button, which needs no user. */
  readonly beside?: boolean;
}

/** The user and the organization of a preview, and the button. */
export function PreviewFields({ state, beside = false }: FieldsProps) {
  const { organization, organizationHint, show, user } = useView().t.mappings.preview;
  return (
    <>
      <Field name="user" label={user} state={state} maxlength={EMAIL_MAX_CHARACTERS} optional={beside} quiet={beside} />
      <Field
        name="organization_slug"
        label={organization}
        hint={organizationHint}
        state={state}
        maxlength={SLUG_MAX_CHARACTERS}
        optional
      />
      <Button name="step" value={previewClaims.step}>
        {show}
      </Button>
    </>
  );
}

export function PreviewResult({ preview }: { readonly preview: DisplayedPreview }) {
  const { t } = useView();
  const { none, result, claim, outcome, source } = t.mappings.preview;
  const title = result({ user: preview.user });
  return (
    <section class="stack" aria-label={title}>
      <h3>{title}</h3>
      {preview.claims.length === 0 ? (
        <p class="soft">{none}</p>
      ) : (
        <Table label={title} columns={[claim, t.mappings.destinations, outcome, source]}>
          {preview.claims.map((each) => (
            <ClaimRow key={`${each.claim} ${each.destination}`} previewed={each} />
          ))}
        </Table>
      )}
      {Object.entries(preview.sets).map(([destination, claims]) => (
        <CopyBlock
          key={destination}
          id={`claims-${destination}`}
          label={t.mappings.destinationNames[destination as keyof typeof preview.sets]}
          text={JSON.stringify(claims, null, 2)}
        />
      ))}
      <CopyResults />
    </section>
  );
}

const KINDS = { released: "good", withheld: "plain", absent: "plain", error: "bad", truncated: "warn" } as const;

function ClaimRow({ previewed }: { readonly previewed: PreviewedClaim }) {
  const { t } = useView();
  const { claim, destination, outcome, sources, control, detail } = previewed;
  const { controls, destinationNames, destinations, preview } = t.mappings;
  return (
    <tr>
      <Cell>
        <code>{claim}</code>
      </Cell>
      <Cell label={destinations}>{destinationNames[destination]}</Cell>
      <Cell label={preview.outcome}>
        <Tag kind={KINDS[outcome]}>{preview.outcomes[outcome]}</Tag>
        {detail && <small lang="en">{detail}</small>}
      </Cell>
      <Cell label={preview.source}>
        <span class="mono">{sources.join(" ") || "–"}</span>
        {control.map((each) => (
          <small key={each}>{controls[each]}</small>
        ))}
      </Cell>
    </tr>
  );
}

/** `/admin/oauth-clients/:id/claims/edit` and `/admin/resources/:id/claims/edit`: one claim mapping. */
import type { Refusal } from "../../../base/problem.ts";
import { authorizePlatformRole } from "../../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSteppedUpAdmin } from "../../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import type { Reply } from "../../../http/reply.ts";
import { EXPRESSION_MAX_CHARACTERS } from "../../../limits/claim-limits.ts";
import { CLAIM_DESTINATIONS } from "../../../vocabulary/claim-mapping.ts";
import { CLAIM_SOURCE_NAMES, type SourceControl, sourceOf } from "../../../vocabulary/claim-sources.ts";
import { isPressed } from "../../action.ts";
import { Area } from "../../components/area.tsx";
import { Check } from "../../components/check.tsx";
import { Choice } from "../../components/choice.tsx";
import { Actions, Button, Field, FieldError, Form, type FormState } from "../../components/form.tsx";
import { SubPageHead } from "../../components/item-head.tsx";
import { Section } from "../../components/lists.tsx";
import { Problem } from "../../components/notices.tsx";
import { asksStepUp, StepUpAgain } from "../../components/step-up-again.tsx";
import { Details } from "../../components/table.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { NOTHING_THERE, type Page, pathWith, seeResult } from "../../page.ts";
import { refusedParts } from "../../problem-messages.ts";
import { displayedVersionIn } from "../../shared/displayed-version.ts";
import { useView } from "../../view.tsx";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "../console.tsx";
import { previewClaims } from "./actions.ts";
import {
  DESTINATIONS_FIELD,
  destinationField,
  isOfMapping,
  mappingOfForm,
  mappingsWith,
  refusedMapping,
  submittedValues,
  valuesOf,
} from "./mapping-fields.ts";
import {
  type ClaimsDeps,
  type ClaimsOwner,
  type ClaimsTarget,
  claimsPath,
  type DisplayedPreview,
  type StoredMapping,
} from "./owner.ts";
import { previewOf, refusedPreview } from "./preview-form.ts";
import { PreviewFields, PreviewResult } from "./preview-view.tsx";
import { useAncestors } from "./view.tsx";

interface MappingProps {
  readonly target: ClaimsTarget;
  /** Undefined: a new claim. */
  readonly mapping: StoredMapping | undefined;
  readonly state: FormState;
  readonly needsStepUp: boolean;
  /** The claims with the submitted mapping, which is not stored. */
  readonly preview: DisplayedPreview | undefined;
}

function MappingBody({ target, mapping, state, needsStepUp, preview }: MappingProps) {
  const { t } = useView();
  const place = claimsPath(target);
  const path = pathWith(`${place}/edit`, { claim: mapping?.claim });
  const filled = { ...state, values: state.values ?? valuesOf(target, mapping) };
  return (
    <>
      <SubPageHead
        above={[...useAncestors(target), { href: place, text: t.mappings.title }]}
        title={mapping?.claim ?? t.mappings.add}
        mono={mapping !== undefined}
      />
      <Problem state={state} current={path} />
      <StepUpAgain visible={needsStepUp} at={place} />
      <Form action={path} class="stack broad">
        <input type="hidden" name="version" value={filled.values.version} />
        <div class="panel stack">
          <ValueFields state={filled} />
          <ReleaseFields target={target} state={filled} />
          <Actions cancel={place}>
            <Button kind="primary">{t.common.save}</Button>
          </Actions>
        </div>
        <Section id="preview" title={t.mappings.preview.title} lead={t.mappings.preview.unsavedLead}>
          <div class="panel stack">
            <PreviewFields state={filled} beside />
          </div>
        </Section>
      </Form>
      {preview && <PreviewResult preview={preview} />}
    </>
  );
}

interface FieldsProps {
  readonly state: FormState;
}

function ValueFields({ state }: FieldsProps) {
  const { claim, claimHint, kind, kinds, value, valueHint } = useView().t.mappings;
  return (
    <>
      <Field name="claim" label={claim} hint={claimHint} state={state} maxlength={EXPRESSION_MAX_CHARACTERS} />
      <Choice name="kind" label={kind} options={kinds} state={state} />
      <Area name="value" label={value} hint={valueHint} state={state} />
      <Sources />
    </>
  );
}

/** The sources by the party that sets the value. */
function Sources() {
  const { sources, controls } = useView().t.mappings;
  const by = (control: SourceControl) => CLAIM_SOURCE_NAMES.filter((name) => sourceOf(name).control === control);
  const list = (control: SourceControl) => <span class="mono">{by(control).join(" ")}</span>;
  return (
    <details class="fold">
      <summary>
        <span class="fold-title">{sources}</span>
      </summary>
      <Details
        details={[
          [controls.platform, list("platform")],
          [controls.organization, list("organization")],
          [controls.user, list("user")],
        ]}
      />
    </details>
  );
}

function ReleaseFields({ target, state }: FieldsProps & Pick<MappingProps, "target">) {
  const { mappings } = useView().t;
  const isApplication = target.owner.kind === "application";
  const none = isApplication ? mappings.noScope : mappings.noScopeOfApi;
  const options = { "": none, ...Object.fromEntries(target.scopes.map((scope) => [scope, scope])) };
  return (
    <>
      <Choice name="scope" label={mappings.scope} hint={mappings.scopeHint} options={options} state={state} />
      {isApplication && (
        <fieldset class="stack near">
          <legend>{mappings.destinations}</legend>
          {CLAIM_DESTINATIONS.map((each) => (
            <Check key={each} name={destinationField(each)} label={mappings.destinationNames[each]} state={state} />
          ))}
          <FieldError id={DESTINATIONS_FIELD} text={state.errors?.[DESTINATIONS_FIELD]} announced />
        </fieldset>
      )}
      <Check name="qualified" label={mappings.qualified} state={state} />
      <Check name="allow_user_control" label={mappings.userControl} state={state} />
    </>
  );
}

interface Edited {
  readonly target: ClaimsTarget;
  readonly mapping: StoredMapping | undefined;
}

/** The mapping of the query `claim`, or a new mapping. Editing needs a step-up, as in the API. */
export function claimMappingPage(deps: ClaimsDeps, owner: ClaimsOwner): Page {
  const show = (
    call: ConsoleCall,
    edited: Edited,
    state: FormState = {},
    parts: DisplayedParts = {},
    preview?: DisplayedPreview,
  ) => {
    const title = edited.mapping?.claim ?? call.view.t.mappings.add;
    const needsStepUp = asksStepUp(parts.refused);
    const body = <MappingBody {...edited} state={state} needsStepUp={needsStepUp} preview={preview} />;
    const islands = ["copy", "recovery-codes"] as const;
    return showConsole(call, { at: owner.list, inside: true, title, body, islands, ...parts });
  };
  const find = async (call: ConsoleCall): Promise<Edited | undefined> => {
    const found = await owner.read(deps, call);
    if (!found.ok || !found.value.mayHaveMappings) return undefined;
    const target = found.value;
    const mapping = target.mappings.find(({ claim }) => claim === call.query.text("claim"));
    return mapping || !call.query.has("claim") ? { target, mapping } : undefined;
  };
  /** What a token would contain with the mapping of the form. Nothing is stored, so a preview needs no step-up. */
  const preview = async (call: ConsoleCall, edited: Edited, refuse: (error: Refusal) => Reply) => {
    const { client, form: fields, view } = call;
    const acts = await authorizePlatformRole(deps, call.caller.session, "admin");
    if (!acts.ok) return refuseConsole(call, acts.error, owner.list);
    const submitted = mappingOfForm(edited.target, fields);
    if (!submitted.ok) return refuse(submitted.error);
    const mappings = mappingsWith(edited.target, edited.mapping, submitted.value);
    const previewed = await previewOf(deps, edited.target, { caller: acts.value, client, fields, mappings });
    const values = submittedValues(fields);
    if (previewed.ok) return show(call, edited, { values }, {}, previewed.value);
    if (isOfMapping(previewed.error)) return refuse(previewed.error);
    const state = refusedPreview(view, previewed.error, values);
    return state ? show(call, edited, state, refusedParts(previewed.error)) : refuse(previewed.error);
  };
  return consolePage(deps, {
    ...owner.pages.edit,
    async get(call) {
      const edited = await find(call);
      if (!edited) return refuseConsole(call, NOTHING_THERE, owner.list);
      const acts = await authorizeSteppedUpAdmin(deps, call.caller.session);
      return acts.ok ? show(call, edited) : refuseConsole(call, acts.error, claimsPath(edited.target));
    },
    async post(call) {
      const edited = await find(call);
      if (!edited) return refuseConsole(call, NOTHING_THERE, owner.list);
      const { target, mapping } = edited;
      const { client, form, view } = call;
      const refuse = (error: Refusal) =>
        show(call, edited, refusedMapping(view, error, form, target, mapping), refusedParts(error));
      if (isPressed(form, previewClaims)) return await preview(call, edited, refuse);
      const acts = await authorizeSteppedUpAdmin(deps, call.caller.session);
      if (!acts.ok) return asksStepUp(acts.error) ? refuse(acts.error) : refuseConsole(call, acts.error, owner.list);
      const submitted = mappingOfForm(target, form);
      if (!submitted.ok) return refuse(submitted.error);
      const mappings = mappingsWith(target, mapping, submitted.value);
      const by = { caller: acts.value, client, id: target.id };
      const displayed = displayedVersionIn(form);
      const saved = await owner.save(deps, { ...by, mappings, displayed });
      return saved.ok ? seeResult(claimsPath(target), "claim-saved") : refuse(saved.error);
    },
  });
}

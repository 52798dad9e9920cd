import {
  DESCRIPTION_LANGUAGES,
  type DescriptionLanguage,
  descriptionMember,
  LANGUAGE_NAMES,
  tagOf,
} from "../../../base/languages.ts";
import type { OAuthResource, ResourceScope } from "../../../models/oauth-resource/oauth-resource.ts";
import { Choice } from "../../components/choice.tsx";
import { Actions, Button, Field, Form, type FormState } from "../../components/form.tsx";
import { ItemHead } from "../../components/item-head.tsx";
import { Empty, Row, Rows, Setting, Time } from "../../components/lists.tsx";
import { Problem } from "../../components/notices.tsx";
import { EditAfterStepUp, StepUpAgain } from "../../components/step-up-again.tsx";
import { Details } from "../../components/table.tsx";
import { pathWith } from "../../page.ts";
import { useView } from "../../view.tsx";
import { ALGORITHM_OPTIONS } from "../algorithm-options.ts";
import type { EditPermission } from "../console.tsx";
import { versionOf } from "../displayed-version.ts";
import { RESOURCES, ResourceTag } from "./page.tsx";

interface ResourceProps {
  readonly resource: OAuthResource;
  readonly may: EditPermission;
  /** The state of the form with the name. */
  readonly state: FormState;
  /** The user must present the second factor again before the form is sent. */
  readonly needsStepUp: boolean;
}

export function placeOf({ id }: Pick<OAuthResource, "id">): string {
  return `${RESOURCES}/${id}`;
}

export function ResourceBody(props: ResourceProps) {
  const { t } = useView();
  const { resource, may } = props;
  return (
    <>
      <ItemHead
        list={{ path: RESOURCES, title: t.resources.title }}
        name={resource.name}
        tags={<ResourceTag resource={resource} />}
      />
      <Details
        details={[
          [t.resources.identifier, <span class="mono">{resource.identifier}</span>],
          [t.resources.algorithm, resource.signingAlg],
          [t.console.created, <Time at={resource.createdAt} />],
        ]}
      />
      {may === "see" && <EditAfterStepUp at={placeOf(resource)} />}
      <ScopesSection {...props} />
      {may === "edit" && <SettingsSection {...props} />}
      {may === "edit" && <AccessSection resource={resource} />}
    </>
  );
}

function ScopesSection({ resource, may }: ResourceProps) {
  const { t } = useView();
  const { scopes, scopesLead, addScope, noScope } = t.resources;
  return (
    <Setting title={scopes} lead={scopesLead}>
      <Rows>
        {resource.scopes.map((scope) => (
          <ScopeRow key={scope.name} resource={resource} scope={scope} edits={may === "edit"} />
        ))}
        {resource.scopes.length === 0 && <Empty text={noScope} />}
      </Rows>
      {may === "edit" && (
        <a class="button" href={`${placeOf(resource)}/scope`}>
          {addScope}
        </a>
      )}
    </Setting>
  );
}

interface ScopeRowProps {
  readonly resource: OAuthResource;
  readonly scope: ResourceScope;
  readonly edits: boolean;
}

function ScopeRow({ resource, scope, edits }: ScopeRowProps) {
  const { t } = useView();
  const { editScope, editScopeNamed, deleteScope, deleteScopeNamed } = t.resources;
  const { name } = scope;
  const place = placeOf(resource);
  const described = DESCRIPTION_LANGUAGES.flatMap((language) => {
    const text = scope[descriptionMember(language)];
    return text ? [<DescriptionLine key={language} language={language} text={text} />] : [];
  });
  const details = described.length > 0 ? described : t.resources.noDescription;
  return (
    <Row title={<code>{name}</code>} details={details}>
      {edits && (
        <div class="inline">
          <a class="button" href={pathWith(`${place}/scope`, { name })} aria-label={editScopeNamed(name)}>
            {editScope}
          </a>
          <a
            class="button bad"
            href={pathWith(`${place}/confirm`, { step: `${DELETE_SCOPE}${name}` })}
            data-confirm="yes"
            aria-label={deleteScopeNamed(name)}
          >
            {deleteScope}
          </a>
        </div>
      )}
    </Row>
  );
}

function DescriptionLine({ language, text }: { readonly language: DescriptionLanguage; readonly text: string }) {
  return (
    <>
      {LANGUAGE_NAMES[language]}: <span lang={tagOf(language)}>{text}</span>
      <br />
    </>
  );
}

/** The step that deletes the scope with the name behind the prefix. */
export const DELETE_SCOPE = "delete-scope/";

function SettingsSection({ resource, state, needsStepUp }: ResourceProps) {
  const { t } = useView();
  const place = placeOf(resource);
  const version = state.values?.version ?? versionOf(resource.updatedAt);
  return (
    <Setting title={t.resources.settings}>
      <Problem state={state} current={place} />
      <StepUpAgain visible={needsStepUp} at={place} />
      <Form action={place} class="panel stack">
        <input type="hidden" name="version" value={version} />
        <Field name="name" label={t.resources.name} state={state} value={resource.name} maxlength={120} />
        <Choice
          name="signing_alg"
          label={t.resources.algorithm}
          hint={t.resources.algorithmHint}
          options={ALGORITHM_OPTIONS}
          state={{ ...state, values: { signing_alg: resource.signingAlg, ...state.values } }}
        />
        <Choice
          name="dpop"
          label={t.resources.dpop}
          hint={t.resources.dpopHint}
          options={t.resources.dpopOptions}
          state={{ ...state, values: { dpop: resource.dpop, ...state.values } }}
        />
        <Actions cancel={RESOURCES}>
          <Button kind="primary" name="step" value="save">
            {t.common.save}
          </Button>
        </Actions>
      </Form>
    </Setting>
  );
}

function AccessSection({ resource }: { readonly resource: OAuthResource }) {
  const { t } = useView();
  const { access, enable, enableDetails, disable, disableDetails, remove, removeDetails } = t.resources;
  const place = placeOf(resource);
  const ask = (step: string) => pathWith(`${place}/confirm`, { step });
  return (
    <Setting title={access}>
      <div class="box danger">
        <Rows>
          {resource.disabled ? (
            <Row title={enable} details={enableDetails}>
              <Form action={place}>
                <Button name="step" value="enable">
                  {enable}
                </Button>
              </Form>
            </Row>
          ) : (
            <Row title={disable} details={disableDetails}>
              <a class="button bad" href={ask("disable")} data-confirm="yes">
                {disable}
              </a>
            </Row>
          )}
          <Row title={remove} details={removeDetails}>
            <a class="button bad" href={ask("delete")} data-confirm="yes">
              {remove}
            </a>
          </Row>
        </Rows>
      </div>
    </Setting>
  );
}

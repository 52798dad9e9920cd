import type { OAuthResource, ResourceScope } from "../../../models/oauth-resource/oauth-resource.ts";
import {
  DESCRIPTION_LANGUAGES,
  type DescriptionLanguage,
  descriptionMember,
  languageName,
  tagOf,
} from "../../../vocabulary/languages.ts";
import { confirmPath, ofItem } from "../../action.ts";
import { Button, Form, type FormState } from "../../components/form.tsx";
import { ItemHead } from "../../components/item-head.tsx";
import { Empty, Row, Rows, Setting, Tag, Time } from "../../components/lists.tsx";
import { EditAfterStepUp } from "../../components/step-up-again.tsx";
import { Details } from "../../components/table.tsx";
import { pathWith } from "../../page.ts";
import { useView } from "../../view.tsx";
import type { EditPermission } from "../console.tsx";
import { deleteResource, disableResource, enableResource, removeScope, saveResource } from "./actions.ts";
import { ResourceTag } from "./page.tsx";
import { RESOURCES, resourcePath } from "./paths.ts";
import { SettingsSection } from "./settings-form.tsx";

interface ResourceProps {
  readonly resource: OAuthResource;
  readonly may: EditPermission;
  /** The state of the form with the name. */
  readonly state: FormState;
  /** The user must present the second factor again before the form is sent. */
  readonly needsStepUp: boolean;
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
      >
        <a class="button" href={`${resourcePath(resource)}/connect`}>
          {t.connect.action}
        </a>
        <a class="button" href={`${resourcePath(resource)}/claims`}>
          {t.mappings.title}
        </a>
      </ItemHead>
      <Details
        details={[
          [t.resources.identifier, <span class="mono">{resource.identifier}</span>],
          [t.resources.openTo, t.resources.openToOptions[resource.openTo]],
          [t.resources.minAcr, t.resources.minAcrOptions[resource.minAcr ?? "none"]],
          [t.resources.algorithm, resource.signingAlg],
          [t.console.created, <Time at={resource.createdAt} />],
        ]}
      />
      {may === "see" && <EditAfterStepUp at={resourcePath(resource)} />}
      <ScopesSection {...props} />
      {may === "edit" && (
        <SettingsSection {...props} step={saveResource.step} place={resourcePath(resource)} cancel={RESOURCES} />
      )}
      {may !== "none" && <AccessSection resource={resource} />}
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
          <ScopeRow key={scope.name} resource={resource} scope={scope} edits={may !== "none"} />
        ))}
        {resource.scopes.length === 0 && <Empty text={noScope} />}
      </Rows>
      {may !== "none" && (
        <a class="button" href={`${resourcePath(resource)}/scope`}>
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
  const place = resourcePath(resource);
  const described = DESCRIPTION_LANGUAGES.flatMap((language) => {
    const text = scope[descriptionMember(language)];
    return text ? [<DescriptionLine key={language} language={language} text={text} />] : [];
  });
  return (
    <Row
      title={
        <>
          <code>{name}</code> {scope.public && <Tag>{t.resources.publicTag}</Tag>}{" "}
          {scope.sensitive && <Tag kind="warn">{t.resources.sensitiveTag}</Tag>}
        </>
      }
      details={
        <>
          {described.length > 0 ? described : t.resources.noDescription}
          {scope.permission && (
            <div>
              {t.resources.permission}: <code>{scope.permission}</code>
            </div>
          )}
        </>
      }
    >
      {edits && (
        <div class="inline">
          <a class="button" href={pathWith(`${place}/scope`, { name })} aria-label={editScopeNamed({ name })}>
            {editScope}
          </a>
          <a
            class="button bad"
            href={confirmPath(place, ofItem(removeScope, name))}
            data-confirm="yes"
            aria-label={deleteScopeNamed({ name })}
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
      {languageName(language)}: <span lang={tagOf(language)}>{text}</span>
      <br />
    </>
  );
}

function AccessSection({ resource }: { readonly resource: OAuthResource }) {
  const { t } = useView();
  const { access, enable, enableDetails, disable, disableDetails, remove, removeDetails } = t.resources;
  const place = resourcePath(resource);
  return (
    <Setting title={access}>
      <div class="box danger">
        <Rows>
          {resource.disabled ? (
            <Row title={enable} details={enableDetails}>
              <Form action={place}>
                <Button name="step" value={enableResource.step}>
                  {enable}
                </Button>
              </Form>
            </Row>
          ) : (
            <Row title={disable} details={disableDetails}>
              <a class="button bad" href={confirmPath(place, disableResource)} data-confirm="yes">
                {disable}
              </a>
            </Row>
          )}
          <Row title={remove} details={removeDetails}>
            <a class="button bad" href={confirmPath(place, deleteResource)} data-confirm="yes">
              {remove}
            </a>
          </Row>
        </Rows>
      </div>
    </Setting>
  );
}

import { CLAIM_MAPPINGS_MAX } from "../../../limits/claim-limits.ts";
import { confirmPath, ofItem } from "../../action.ts";
import type { Ancestor } from "../../components/crumbs.tsx";
import type { FormState } from "../../components/form.tsx";
import { SubPageHead } from "../../components/item-head.tsx";
import { Empty, Row, Rows, Section, Tag } from "../../components/lists.tsx";
import { pathWith } from "../../page.ts";
import { useView } from "../../view.tsx";
import { removeMapping } from "./actions.ts";
import { type ClaimsTarget, claimsPath, type DisplayedPreview, type StoredMapping } from "./owner.ts";
import { PreviewSection } from "./preview-view.tsx";

export interface ClaimsProps {
  readonly target: ClaimsTarget;
  /** Whether the user is an Admin. */
  readonly acts: boolean;
  /** The state of the form of the preview. */
  readonly state: FormState;
  readonly preview: DisplayedPreview | undefined;
}

/** The list of the objects and the object. */
export function useAncestors({ owner, id, name }: ClaimsTarget): readonly Ancestor[] {
  const { t } = useView();
  const title = owner.kind === "application" ? t.clients.title : t.resources.title;
  return [
    { href: owner.list, text: title },
    { href: `${owner.list}/${id}`, text: name },
  ];
}

export function ClaimsBody(props: ClaimsProps) {
  const { t } = useView();
  const { target, acts } = props;
  return (
    <>
      <SubPageHead above={useAncestors(target)} title={t.mappings.title} lead={t.mappings.lead} />
      <MappingsSection {...props} />
      {acts && <PreviewSection {...props} />}
    </>
  );
}

function MappingsSection({ target, acts }: ClaimsProps) {
  const { t } = useView();
  const { add, full, none, registeredOnly, own } = t.mappings;
  const edits = acts && target.mayHaveMappings;
  const isFull = target.mappings.length >= CLAIM_MAPPINGS_MAX;
  return (
    <Section title={own}>
      <Rows>
        {target.mappings.map((mapping) => (
          <MappingRow key={mapping.claim} target={target} mapping={mapping} edits={edits} />
        ))}
        {target.mappings.length === 0 && <Empty text={target.mayHaveMappings ? none : registeredOnly} />}
      </Rows>
      {edits && isFull && <p class="soft">{full}</p>}
      {edits && !isFull && (
        <p>
          <a class="button" href={`${claimsPath(target)}/edit`}>
            {add}
          </a>
        </p>
      )}
    </Section>
  );
}

interface MappingRowProps {
  readonly target: ClaimsTarget;
  readonly mapping: StoredMapping;
  readonly edits: boolean;
}

function MappingRow({ target, mapping, edits }: MappingRowProps) {
  const { t, dates } = useView();
  const { mappings } = t;
  const { claim: name, scope } = mapping;
  const place = claimsPath(target);
  const none = target.owner.kind === "application" ? mappings.noScope : mappings.noScopeOfApi;
  const destinations = (mapping.in ?? []).map((each) => mappings.destinationNames[each]);
  return (
    <Row
      title={
        <>
          <code>{name}</code> {mapping.qualified && <Tag>{mappings.qualifiedTag}</Tag>}{" "}
          {mapping.allow_user_control && <Tag kind="warn">{mappings.userControlTag}</Tag>}
        </>
      }
      details={
        <>
          <SourceLine mapping={mapping} />
          <div>
            {mappings.scope}: {scope === null ? none : <code>{scope}</code>}
            {destinations.length > 0 && ` · ${dates.list(destinations)}`}
          </div>
        </>
      }
    >
      {edits && (
        <div class="inline">
          <a
            class="button"
            href={pathWith(`${place}/edit`, { claim: name })}
            aria-label={t.resources.editScopeNamed({ name })}
          >
            {t.resources.editScope}
          </a>
          <a
            class="button bad"
            href={confirmPath(place, ofItem(removeMapping, name))}
            data-confirm="yes"
            aria-label={t.resources.deleteScopeNamed({ name })}
          >
            {t.resources.deleteScope}
          </a>
        </div>
      )}
    </Row>
  );
}

function SourceLine({ mapping: { attribute, constant, expression } }: { readonly mapping: StoredMapping }) {
  const { kinds } = useView().t.mappings;
  const [kind, text] =
    attribute !== undefined
      ? ["attribute" as const, attribute]
      : expression !== undefined
        ? ["expression" as const, expression]
        : ["constant" as const, JSON.stringify(constant)];
  return (
    <div>
      {kinds[kind]}: <code>{text}</code>
    </div>
  );
}

/** The products with a preset, and the inputs of one product. */

import type { ProductPreset } from "../../../flows/oauth/presets/product-presets.ts";
import { Filters } from "../../components/filters.tsx";
import { Actions, Button, Field, Form, type FormState } from "../../components/form.tsx";
import { SubPageHead } from "../../components/item-head.tsx";
import { EmptyBox, Tag } from "../../components/lists.tsx";
import { Problem } from "../../components/notices.tsx";
import { StepUpAgain } from "../../components/step-up-again.tsx";
import { pathWith } from "../../page.ts";
import { productName } from "../../shared/product-name.ts";
import { useView, type View } from "../../view.tsx";
import type { ProductKind } from "./kinds.ts";

interface ListProps {
  readonly of: ProductKind;
  readonly presets: readonly ProductPreset[];
  readonly q: string;
}

export function ProductsBody({ of, presets, q }: ListProps) {
  const view = useView();
  const { t } = view;
  const texts = t.clients.products;
  const { create, lead, title } = of.texts(view);
  return (
    <>
      <SubPageHead
        above={[
          { href: of.list, text: title },
          { href: `${of.list}/new`, text: create },
        ]}
        title={texts.action}
        lead={lead}
      />
      <Filters path={of.path} search={{ label: texts.search, q }} selects={[]} filtered={q !== ""} />
      {presets.length === 0 && <EmptyBox icon="apps" text={texts.noMatch({ q })} />}
      <nav aria-label={texts.title} class="presets">
        {presets.map((each) => (
          <a key={each.preset} href={pathWith(of.path, { preset: each.preset })}>
            <strong>{productName(view, each)}</strong>
            {each.unboundCodes && <small>{t.clients.unboundTag}</small>}
          </a>
        ))}
      </nav>
      {q !== "" && (
        <p>
          <a href={of.path}>{texts.all}</a>
        </p>
      )}
    </>
  );
}

interface ProductProps {
  readonly of: ProductKind;
  readonly preset: ProductPreset;
  readonly state: FormState;
  /** The user must present the second factor again before the form is sent. */
  readonly needsStepUp: boolean;
}

export function ProductBody({ of, preset, state, needsStepUp }: ProductProps) {
  const view = useView();
  const { t } = view;
  const name = productName(view, preset);
  const place = pathWith(of.path, { preset: preset.preset });
  const { createAction, title } = of.texts(view);
  return (
    <>
      <SubPageHead
        above={[
          { href: of.list, text: title },
          { href: of.path, text: t.clients.products.title },
        ]}
        title={t.connect.title({ name })}
      />
      {preset.unboundCodes && (
        <p>
          <Tag kind="warn">{t.clients.unboundTag}</Tag> <span class="soft">{t.clients.codeBindingHint}</span>
        </p>
      )}
      <Problem state={state} />
      <StepUpAgain visible={needsStepUp} at={of.list} />
      <Form action={place} class="panel stack broad">
        {preset.inputs.map(({ name: input, type, required }) => (
          <Field
            key={input}
            name={`input:${input}`}
            label={inputLabel(view, input)}
            {...hintOf(view, of, type)}
            state={state}
            optional={!required}
          />
        ))}
        <Actions cancel={of.path}>
          <Button kind="primary">{createAction}</Button>
        </Actions>
      </Form>
      <p>
        <a href={preset.guide} target="_blank" rel="noopener noreferrer">
          {t.clients.products.documentation}
        </a>
      </p>
    </>
  );
}

type InputType = ProductPreset["inputs"][number]["type"];

/** An input of a new preset has its own name until the texts have a label. */
function inputLabel({ t }: View, input: string): string {
  const labels: Readonly<Record<string, string>> = t.clients.products.inputs;
  return labels[input] ?? input;
}

function hintOf(view: View, of: ProductKind, type: InputType): { readonly hint?: string } {
  const { urlHint, organizationHint } = of.texts(view);
  if (type === "text") return {};
  return { hint: type === "url" ? urlHint : organizationHint };
}

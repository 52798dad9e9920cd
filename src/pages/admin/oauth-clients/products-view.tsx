/** The products with a preset, and the inputs of one product. */

import type { ProductPreset } from "../../../flows/oauth/presets/product-presets.ts";
import { Filters } from "../../components/filters.tsx";
import { Actions, Button, Field, Form, type FormState } from "../../components/form.tsx";
import { SubPageHead } from "../../components/item-head.tsx";
import { EmptyBox, Tag } from "../../components/lists.tsx";
import { Problem } from "../../components/notices.tsx";
import { StepUpAgain } from "../../components/step-up-again.tsx";
import { pathWith } from "../../page.ts";
import { useView, type View } from "../../view.tsx";
import { CLIENTS, PRODUCTS } from "./paths.ts";

/** A product name is a proper name; only the preset of no product has a translation. */
export function productName({ t }: View, { preset, name }: Pick<ProductPreset, "name" | "preset">): string {
  return preset === "generic" ? t.clients.products.other : name;
}

interface ListProps {
  readonly presets: readonly ProductPreset[];
  readonly q: string;
}

export function ProductsBody({ presets, q }: ListProps) {
  const view = useView();
  const { t } = view;
  const texts = t.clients.products;
  return (
    <>
      <SubPageHead
        above={[
          { href: CLIENTS, text: t.clients.title },
          { href: `${CLIENTS}/new`, text: t.clients.create },
        ]}
        title={texts.action}
        lead={texts.lead}
      />
      <Filters path={PRODUCTS} search={{ label: texts.search, q }} selects={[]} filtered={q !== ""} />
      {presets.length === 0 && <EmptyBox icon="apps" text={texts.noMatch({ q })} />}
      <nav aria-label={texts.title} class="presets">
        {presets.map((each) => (
          <a key={each.preset} href={pathWith(PRODUCTS, { preset: each.preset })}>
            <strong>{productName(view, each)}</strong>
            {each.unboundCodes && <small>{t.clients.unboundTag}</small>}
          </a>
        ))}
      </nav>
      {q !== "" && (
        <p>
          <a href={PRODUCTS}>{texts.all}</a>
        </p>
      )}
    </>
  );
}

interface ProductProps {
  readonly preset: ProductPreset;
  readonly state: FormState;
  /** The user must present the second factor again before the form is sent. */
  readonly needsStepUp: boolean;
}

export function ProductBody({ preset, state, needsStepUp }: ProductProps) {
  const view = useView();
  const { t } = view;
  const name = productName(view, preset);
  const place = pathWith(PRODUCTS, { preset: preset.preset });
  return (
    <>
      <SubPageHead
        above={[
          { href: CLIENTS, text: t.clients.title },
          { href: PRODUCTS, text: t.clients.products.title },
        ]}
        title={t.connect.title({ name })}
      />
      {preset.unboundCodes && (
        <p>
          <Tag kind="warn">{t.clients.unboundTag}</Tag> <span class="soft">{t.clients.codeBindingHint}</span>
        </p>
      )}
      <Problem state={state} />
      <StepUpAgain visible={needsStepUp} at={CLIENTS} />
      <Form action={place} class="panel stack broad">
        {preset.inputs.map(({ name: input, type, required }) => (
          <Field
            key={input}
            name={`input:${input}`}
            label={inputLabel(view, input)}
            {...hintOf(view, type)}
            state={state}
            optional={!required}
          />
        ))}
        <Actions cancel={PRODUCTS}>
          <Button kind="primary">{t.clients.createAction}</Button>
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

function hintOf({ t }: View, type: InputType): { readonly hint?: string } {
  const { urlHint, organizationHint } = t.clients.products;
  if (type === "text") return {};
  return { hint: type === "url" ? urlHint : organizationHint };
}

import type { FormState } from "../../components/form.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { mayAct, showConsole } from "../console.tsx";
import type { ClaimsInput, DisplayedPreview } from "./owner.ts";
import { ClaimsBody } from "./view.tsx";

/** The page of the claims. `state`: of the form of the preview. */
export async function showClaims(
  { call, target }: ClaimsInput,
  state: FormState = {},
  parts: DisplayedParts & { readonly done?: string | undefined } = {},
  preview?: DisplayedPreview,
) {
  const title = `${call.view.t.mappings.title} · ${target.name}`;
  const acts = mayAct(call.admin);
  const body = <ClaimsBody target={target} acts={acts} state={state} preview={preview} />;
  const islands = ["confirm", "copy", "recovery-codes"] as const;
  return showConsole(call, { at: target.owner.list, inside: true, title, body, islands, ...parts });
}

/** The page with the result of a preview, and the typed values in its form. */
export async function showPreview(input: ClaimsInput, preview: DisplayedPreview) {
  const { user, slug } = preview;
  return await showClaims(input, { values: { user, organization_slug: slug } }, {}, preview);
}

import type { FormState } from "../../components/form.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { editPermission, mayAct, showConsole } from "../console.tsx";
import type { ClaimsInput } from "./owner.ts";
import type { DisplayedPreview } from "./preview-view.tsx";
import { ClaimsBody } from "./view.tsx";

/** The page of the claims. `state`: of the form of the preview. */
export async function showClaims(
  { deps, call, target }: ClaimsInput,
  state: FormState = {},
  parts: DisplayedParts & { readonly done?: string | undefined } = {},
  preview?: DisplayedPreview,
) {
  const may = await editPermission(deps, call);
  const title = `${call.view.t.mappings.title} · ${target.name}`;
  const acts = mayAct(call.admin);
  const body = <ClaimsBody target={target} may={may} acts={acts} state={state} preview={preview} />;
  const islands = ["confirm", "copy", "recovery-codes"] as const;
  return showConsole(call, { at: target.owner.list, inside: true, title, body, islands, ...parts });
}

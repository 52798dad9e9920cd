import { resultText } from "../../action.ts";
import type { FormState } from "../../components/form.tsx";
import { type Page, textAt } from "../../page.ts";
import { consoleFrame, targetPages } from "../console-actions.tsx";
import { claimsActions } from "./actions.ts";
import { claimMappingPage } from "./mapping-page.tsx";
import { type ClaimsDeps, type ClaimsInput, type ClaimsOwner, type ClaimsTarget, claimsPath } from "./owner.ts";
import { API_CLAIMS, APPLICATION_CLAIMS } from "./owners.ts";
import { showClaims, showPreview } from "./show.tsx";

/** `/admin/oauth-clients/:id/claims` and `/admin/resources/:id/claims`, each with the page of one claim. */
export function claimsPages(deps: ClaimsDeps): readonly Page[] {
  return [APPLICATION_CLAIMS, API_CLAIMS].flatMap((owner) => [...pagesOf(deps, owner), claimMappingPage(deps, owner)]);
}

function pagesOf(deps: ClaimsDeps, owner: ClaimsOwner): readonly Page[] {
  const all = { ...deps, showPreview };
  return targetPages<ClaimsInput["deps"], ClaimsTarget, FormState>(all, {
    ...owner.pages.claims,
    confirm: owner.pages.confirm,
    list: owner.list,
    read: ({ call }) => owner.read(deps, call),
    frame: consoleFrame<ClaimsInput>(owner.list),
    actions: claimsActions,
    place: ({ target }) => claimsPath(target),
    problems: ({ t }) => ({ conflict: t.mappings.changedMeanwhile }),
    get: show,
    show: showClaims,
  });
}

async function show(input: ClaimsInput) {
  const { result, view } = input.call;
  // The page of a claim leads here.
  const others = { "claim-saved": view.t.mappings.saved };
  const done = resultText(view, claimsActions, result) ?? textAt(others, result);
  return await showClaims(input, {}, { done });
}

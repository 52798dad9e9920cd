/** The form of a preview: a user, an organization, and the stored or unsaved mappings. */
import type { Refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { ok, type Result } from "../../../base/result.ts";
import { findPreviewed } from "../../../flows/oauth/preview/find-previewed.ts";
import type { PlatformCaller } from "../../../flows/steps/authorization/authorize-platform-role.ts";
import type { FormState } from "../../components/form.tsx";
import type { Fields } from "../../page.ts";
import { refusedForm } from "../../problem-messages.ts";
import type { View } from "../../view.tsx";
import type { ClaimsDeps, ClaimsTarget, DisplayedPreview } from "./owner.ts";

interface SubmittedPreview {
  readonly caller: PlatformCaller;
  readonly client: RequestContext;
  readonly fields: Fields;
  /** Unsaved mappings on the wire. Default: the stored mappings. */
  readonly mappings?: readonly unknown[];
}

/** The typed values. A field `organization` would be the organization of the form (`ORGANIZATION_FIELD`). */
export function previewFields(fields: Fields) {
  return { user: fields.text("user").trim(), organization_slug: fields.text("organization_slug").trim() };
}

/** A refusal names the field `user`, `organization_slug` or `claim_mappings`. */
export async function previewOf(
  deps: ClaimsDeps,
  { owner, id }: Pick<ClaimsTarget, "id" | "owner">,
  { caller, client, fields, mappings }: SubmittedPreview,
): Promise<Result<DisplayedPreview, Refusal>> {
  const { user, organization_slug: slug } = previewFields(fields);
  const found = await findPreviewed(deps, caller, { address: user, slug });
  if (!found.ok) return found;
  const request = { caller, client, id, ...found.value, ...(mappings && { mappings }) };
  const preview = await owner.preview(deps, request);
  return preview.ok ? ok({ ...preview.value, user, slug }) : preview;
}

/** The form with the problem beside the user or the organization; undefined: a problem of something else. */
export function refusedPreview(
  view: View,
  refusal: Refusal,
  values: Readonly<Record<string, string>>,
): FormState | undefined {
  const { noMember, noOrganization, noUser } = view.t.mappings.preview;
  if (refusal.code === "not_found") return { values, errors: { organization_slug: noMember } };
  if (refusal.code !== "invalid_input") return undefined;
  return refusedForm(view, refusal, values, {}, { user: noUser, organization_slug: noOrganization });
}

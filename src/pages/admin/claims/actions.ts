/** The actions of the claims of an application or API. */
import { err } from "../../../base/result.ts";
import { findPreviewed } from "../../../flows/oauth/preview/find-previewed.ts";
import { authorizePlatformRole } from "../../../flows/steps/authorization/authorize-platform-role.ts";
import { actionsOf } from "../../action.ts";
import { type Fields, NOTHING_THERE } from "../../page.ts";
import { refusedForm } from "../../problem-messages.ts";
import { platformCaller, steppedUpAdmin } from "../console-actions.tsx";
import type { ClaimsInput } from "./owner.ts";

const { action, asks, confirmed } = actionsOf<ClaimsInput>();

/** The item is the name of the claim. */
export const removeMapping = confirmed({
  step: "delete-claim",
  hasItem: true,
  may: steppedUpAdmin,
  question: asks(platformCaller, ({ item, target: { mappings }, view: { t } }) => {
    const mapping = mappings.find(({ claim }) => claim === item);
    const { removeText, removeTitle } = t.mappings;
    const action = t.resources.deleteScope;
    return mapping && { title: removeTitle({ name: mapping.claim }), text: removeText, action };
  }),
  async run({ deps, caller, client, item, target: { owner, id, mappings, updatedAt: displayed } }) {
    const kept = mappings.filter(({ claim }) => claim !== item);
    if (kept.length === mappings.length) return err(NOTHING_THERE);
    return await owner.save(deps, { caller, client, id, mappings: kept, displayed });
  },
  done: ["claim-deleted", ({ t }) => t.mappings.removed],
});

/** Nothing is issued or stored, so that the preview needs no step-up, as in the API. */
export const previewClaims = action({
  step: "preview",
  may: ({ deps, call }: ClaimsInput) => authorizePlatformRole(deps, call.caller.session, "admin"),
  async run({ deps, caller, client, fields, target: { owner, id } }) {
    const { user: address, organization_slug: slug } = previewFields(fields);
    const found = await findPreviewed(deps, caller, { address, slug });
    return found.ok ? await owner.preview(deps, { caller, client, id, ...found.value }) : found;
  },
  reply: async (input, preview) => {
    const { user, organization_slug: slug } = previewFields(input.fields);
    return await input.deps.showPreview(input, { ...preview, user, slug });
  },
  refused({ fields, view }, refusal) {
    const { noMember, noOrganization, noUser } = view.t.mappings.preview;
    const values = previewFields(fields);
    if (refusal.code === "not_found") return { values, errors: { organization_slug: noMember } };
    if (refusal.code !== "invalid_input") return undefined;
    return refusedForm(view, refusal, values, {}, { user: noUser, organization_slug: noOrganization });
  },
});

/** A field `organization` would be the organization of the form (`ORGANIZATION_FIELD`). */
function previewFields(fields: Fields) {
  return { user: fields.text("user").trim(), organization_slug: fields.text("organization_slug").trim() };
}

export const claimsActions = { removeMapping, previewClaims };

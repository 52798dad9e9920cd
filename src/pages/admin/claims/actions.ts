/** The actions of the claims of an application or API. */
import { err } from "../../../base/result.ts";
import { authorizePlatformRole } from "../../../flows/steps/authorization/authorize-platform-role.ts";
import { actionsOf } from "../../action.ts";
import { NOTHING_THERE } from "../../page.ts";
import { platformCaller, steppedUpAdmin } from "../console-actions.tsx";
import type { ClaimsInput } from "./owner.ts";
import { previewFields, previewOf, refusedPreview } from "./preview-form.ts";

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
  run: async ({ deps, target, ...submitted }) => await previewOf(deps, target, submitted),
  reply: async (input, preview) => await input.deps.showPreview(input, preview),
  refused({ fields, view }, refusal) {
    return refusedPreview(view, refusal, previewFields(fields));
  },
});

export const claimsActions = { removeMapping, previewClaims };

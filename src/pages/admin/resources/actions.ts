/** The actions of `/admin/resources/:id`. */
import { err } from "../../../base/result.ts";
import {
  type AdministerResourcesDeps,
  changeDisplayedResource,
  changeResource,
  removeResource,
} from "../../../flows/oauth/resources/administer-resources.ts";
import { bodyValidator } from "../../../http/input/read-input.ts";
import { resourceChangeOf } from "../../../http/oauth/oauth-resource-settings.ts";
import { ChangeOAuthResource } from "../../../http/schemas/oauth-resources.ts";
import type { OAuthResource } from "../../../models/oauth-resource/oauth-resource.ts";
import { actionsOf } from "../../action.ts";
import { asksStepUp } from "../../components/step-up-again.tsx";
import { NOTHING_THERE } from "../../page.ts";
import { displayedVersionIn } from "../../shared/displayed-version.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { platformCaller, steppedUpAdmin, type TargetInput } from "../console-actions.tsx";
import { RESOURCES } from "./paths.ts";
import { refusedSettings, submittedSettings } from "./settings-form.tsx";

export type ResourceDeps = SignedInUserDeps & AdministerResourcesDeps;
export type ResourceInput = TargetInput<ResourceDeps, OAuthResource>;

const { action, asks, confirmed } = actionsOf<ResourceInput>();
const validateChange = bodyValidator(ChangeOAuthResource);

export const saveResource = action({
  step: "save",
  may: steppedUpAdmin,
  async run({ deps, caller, client, fields, target: { id } }) {
    const body = validateChange(submittedSettings(fields));
    if (!body.ok) return body;
    const [change, displayed] = [resourceChangeOf(body.value), displayedVersionIn(fields)];
    return await changeDisplayedResource(deps, { caller, client, id, change, displayed });
  },
  done: ["saved", ({ t }) => t.resources.saved],
  refused({ fields, target, view }, refusal) {
    const isOfForm = refusal.code === "invalid_input" || refusal.code === "conflict" || asksStepUp(refusal);
    return isOfForm ? refusedSettings(view, fields, target, refusal) : undefined;
  },
});

export const disableResource = confirmed({
  step: "disable",
  may: steppedUpAdmin,
  question: asks(platformCaller, ({ target: { name }, view: { t } }) => {
    const { disable, disableText, disableTitle } = t.resources;
    return { title: disableTitle({ name }), text: disableText, action: disable, typedName: name };
  }),
  run: ({ deps, caller, client, target: { id } }) =>
    changeResource(deps, { caller, client, id, change: { disabled: true } }),
  done: ["disabled", ({ t }) => t.resources.disabledNow],
});

export const enableResource = action({
  step: "enable",
  may: steppedUpAdmin,
  run: ({ deps, caller, client, target: { id } }) =>
    changeResource(deps, { caller, client, id, change: { disabled: false } }),
  done: ["enabled", ({ t }) => t.resources.enabledNow],
});

/** The item is the name of the scope. */
export const removeScope = confirmed({
  step: "delete-scope",
  hasItem: true,
  may: steppedUpAdmin,
  question: asks(platformCaller, ({ item, target: { scopes }, view: { t } }) => {
    const scope = scopes.find(({ name }) => name === item);
    const { deleteScope: text, deleteScopeText, deleteScopeTitle } = t.resources;
    return scope && { title: deleteScopeTitle({ name: scope.name }), text: deleteScopeText, action: text };
  }),
  async run({ deps, caller, client, item, target: { id, scopes, updatedAt } }) {
    const kept = scopes.filter(({ name }) => name !== item);
    if (kept.length === scopes.length) return err(NOTHING_THERE);
    return await changeDisplayedResource(deps, { caller, client, id, change: { scopes: kept }, displayed: updatedAt });
  },
  done: ["scope-deleted", ({ t }) => t.resources.scopeDeleted],
});

export const deleteResource = confirmed({
  step: "delete",
  may: steppedUpAdmin,
  question: asks(platformCaller, ({ target: { name }, view: { t } }) => {
    const { remove, removeText, removeTitle } = t.resources;
    return { title: removeTitle({ name }), text: removeText, action: remove, typedName: name };
  }),
  run: ({ deps, caller, client, target: { id } }) => removeResource(deps, { caller, client, id }),
  done: ["deleted", ({ t }) => t.resources.deleted],
  doneAt: RESOURCES,
});

export const resourceActions = { saveResource, disableResource, enableResource, removeScope, deleteResource };

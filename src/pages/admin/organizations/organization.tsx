import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { clampPage } from "../../../database/listing.ts";
import type { Deps, SessionDeps } from "../../../deps.ts";
import { listOrganizationFlags, overrideFeatureFlag } from "../../../flows/feature-flags/administer.ts";
import {
  type AdministerInput,
  administerDisplayedOrganization,
  administerOrganization,
  readOrganization,
} from "../../../flows/organizations/administer.ts";

import type { Reply } from "../../../http/reply.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import type { FormState } from "../../components/form.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { NOTHING_THERE, type Page, pageNumber, seeResult, textAt } from "../../page.ts";
import { changedForm, refusedForm, refusedParts } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import type { View } from "../../view.tsx";
import { type ConsoleCall, confirmationPage, consolePage, mayAct, refuseConsole, showConsole } from "../console.tsx";
import { displayedVersionIn } from "../displayed-version.ts";
import { ORGANIZATIONS } from "./page.tsx";
import { OrganizationBody } from "./settings.tsx";

type OrganizationDeps = SessionDeps & SignedInUserDeps & Pick<Deps, "reads" | "featureFlags">;
const FLAGS_PER_PAGE = 10;

function resultOf({ t }: View, done: string): string | undefined {
  const texts = {
    created: t.organizations.created,
    saved: t.organizations.saved,
    suspended: t.organizations.suspendedNow,
    restored: t.organizations.restored,
    flag: t.organizations.flagSaved,
  };
  return textAt(texts, done);
}

/** `/admin/organizations/:id`: name, tier, feature flags, suspension. */
export function organizationPage(deps: OrganizationDeps): Page {
  const show = async (call: ConsoleCall, state: FormState, parts: DisplayedParts = {}): Promise<Reply> => {
    const { admin: caller, params, query, view } = call;
    const found = await readOrganization(deps, caller, params.id ?? "");
    if (!found.ok) return refuseConsole(call, found.error, ORGANIZATIONS);
    const page = clampPage(pageNumber(query), FLAGS_PER_PAGE);
    const flags = await listOrganizationFlags(deps, { caller, organizationId: found.value.id, page });
    const done = resultOf(view, call.result);
    const details = { organization: found.value, flags, acts: mayAct(caller), state };
    const title = found.value.name;
    const body = <OrganizationBody {...details} />;
    return showConsole(call, { at: ORGANIZATIONS, inside: true, title, body, done, islands: ["confirm"], ...parts });
  };
  return consolePage(deps, {
    path: "/admin/organizations/:id",
    get: (call) => show(call, {}),
    async post(call) {
      const found = await readOrganization(deps, call.admin, call.params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, ORGANIZATIONS);
      const place = `${ORGANIZATIONS}/${found.value.id}`;
      const outcome = await act(deps, call, found.value);
      if (outcome.ok) return seeResult(place, outcome.value);
      const { form, view } = call;
      const { code } = outcome.error;
      if (form.text("step") === "save" && (code === "conflict" || code === "invalid_input"))
        return await show(call, await refusedSettings(deps, call, outcome.error), refusedParts(outcome.error));
      return refuseConsole(call, outcome.error, place, { forbidden: view.t.organizations.higherRole });
    },
  });
}

/** The form with the submitted values; after a change by another administrator, also with the stored settings. */
async function refusedSettings(deps: OrganizationDeps, call: ConsoleCall, refused: Refusal): Promise<FormState> {
  const { admin: caller, form, params, view } = call;
  const values = Object.fromEntries(["name", "tier", "version"].map((name) => [name, form.text(name)]));
  const found = refused.code === "conflict" ? await readOrganization(deps, caller, params.id ?? "") : undefined;
  if (!found?.ok) return refusedForm(view, refused, values);
  const { name, tier } = found.value;
  return changedForm(view, values, { name, tier });
}

/** Executes the action of the pressed button; returns the result to display. */
async function act(
  deps: OrganizationDeps,
  { admin: caller, form, client }: ConsoleCall,
  { id: organizationId }: Organization,
): Promise<Result<string, Refusal>> {
  const unchanged = { name: undefined, tier: undefined, suspended: undefined };
  const administer = async (change: Partial<Pick<AdministerInput, "name" | "tier" | "suspended">>, done: string) => {
    const changed = await administerOrganization(deps, { ...unchanged, ...change, caller, organizationId, client });
    return changed.ok ? ok(done) : changed;
  };
  switch (form.text("step")) {
    case "flag": {
      const [key, override] = [form.text("key"), overrideIn(form.text("override"))];
      const changed = await overrideFeatureFlag(deps, { caller, key, organizationId, override, client });
      return changed.ok ? ok("flag") : changed;
    }
    case "suspend":
      return await administer({ suspended: true }, "suspended");
    case "restore":
      return await administer({ suspended: false }, "restored");
    case "save": {
      const settings = { ...unchanged, name: form.text("name"), tier: tierIn(form.text("tier")) };
      // A form of an earlier release has no version.
      const displayed = form.has("version") ? displayedVersionIn(form) : undefined;
      const input = { ...settings, displayed, caller, organizationId, client };
      const saved = await administerDisplayedOrganization(deps, input);
      return saved.ok ? ok("saved") : saved;
    }
    default:
      return err(NOTHING_THERE);
  }
}

function tierIn(text: string): Organization["tier"] | undefined {
  return text === "standard" || text === "enterprise" ? text : undefined;
}

function overrideIn(text: string): "on" | "off" | "default" {
  return text === "on" || text === "off" ? text : "default";
}

/** `/admin/organizations/:id/confirm`: asks before a suspension. */
export function confirmSuspensionPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: "/admin/organizations/:id/confirm",
    async get(call) {
      const found = await readOrganization(deps, call.admin, call.params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, ORGANIZATIONS);
      const { id, name } = found.value;
      const t = call.view.t.organizations;
      const question = { title: t.suspendTitle(name), text: t.suspendText, action: t.suspend, typedName: name };
      const place = `${ORGANIZATIONS}/${id}`;
      return confirmationPage(call, { at: ORGANIZATIONS, place, step: "suspend", ...question });
    },
  });
}

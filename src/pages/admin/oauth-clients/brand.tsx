/** `/admin/oauth-clients/:id/brand`: the brand of an application. Editing needs a step-up, as in the API. */
import type { BrandSettings, LogoTheme } from "../../../base/brand-values.ts";
import type { Refusal } from "../../../base/problem.ts";
import { isUuid, NIL_UUID } from "../../../base/random.ts";
import { type BrandDeps, readBrand } from "../../../flows/brand/change.ts";
import {
  authorizeBrandAdministrator,
  authorizeBrandReader,
} from "../../../flows/steps/authorization/authorize-brand.ts";
import type { Reply } from "../../../http/reply.ts";
import { LOGO_BYTES_MAX } from "../../../limits/brand-limits.ts";
import { changeBrand, changeLogo, resultOf } from "../../brand/actions.ts";
import { displayedLook, fieldTexts, previewStyle, settingsIn, valuesIn } from "../../brand/form.ts";
import { BrandPreview } from "../../brand/preview.tsx";
import { BrandEditor } from "../../brand/view.tsx";
import type { FormState } from "../../components/form.tsx";
import { ItemHead } from "../../components/item-head.tsx";
import { EditAfterStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { type Page, seeOther, seeResult } from "../../page.ts";
import { refusedForm, refusedParts } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { type ConsoleCall, consolePage, editPermission, refuseConsole, showConsole } from "../console.tsx";
import { CLIENTS } from "./page.tsx";

const BRAND = "/admin/oauth-clients/:id/brand";
type ClientBrandDeps = BrandDeps & SignedInUserDeps;

interface Displayed {
  readonly state?: FormState;
  readonly parts?: DisplayedParts;
  /** The submitted settings, for the preview. */
  readonly settings?: BrandSettings;
}

function ownerIn({ params: { id = "" } }: ConsoleCall) {
  return { kind: "application", id: isUuid(id) ? id : NIL_UUID } as const;
}

function placeOf(call: ConsoleCall): string {
  return `${CLIENTS}/${ownerIn(call).id}/brand`;
}

async function show(deps: ClientBrandDeps, call: ConsoleCall, displayed: Displayed = {}): Promise<Reply> {
  const { state = {}, parts = {}, settings } = displayed;
  const { view } = call;
  const authorized = await authorizeBrandReader(deps, call.caller.session, ownerIn(call));
  const found = authorized.ok ? await readBrand(deps, authorized.value) : authorized;
  if (!found.ok) return refuseConsole(call, found.error, CLIENTS);
  const brand = found.value;
  const path = placeOf(call);
  const editor = { brand, path, state, displayed: displayedLook(brand, settings) };
  const may = await editPermission(deps, call);
  const body = (
    <>
      <ItemHead
        list={{ path: `${CLIENTS}/${ownerIn(call).id}`, title: brand.name }}
        name={view.t.brand.titleOf(brand.name)}
        tags={null}
      />
      {may === "edit" ? <BrandEditor {...editor} /> : <BrandPreview {...editor} />}
      {may === "see" && <EditAfterStepUp at={path} />}
    </>
  );
  const done = resultOf(view, call.result);
  const style = previewStyle(view, editor.displayed);
  const title = view.t.brand.titleOf(brand.name);
  return showConsole(call, { at: CLIENTS, inside: true, title, body, style, done, ...parts });
}

export function clientBrandPage(deps: ClientBrandDeps): Page {
  return consolePage(deps, {
    path: BRAND,
    get: (call) => show(deps, call),
    async post(call) {
      const { form, view } = call;
      if (form.text("step") === "preview") {
        return await show(deps, call, { state: { values: valuesIn(form) }, settings: settingsIn(form) });
      }
      const authorized = await authorizeBrandAdministrator(deps, call.caller.session, ownerIn(call));
      const outcome = authorized.ok ? await changeBrand(deps, call, authorized.value) : authorized;
      if (outcome.ok) return seeResult(placeOf(call), outcome.value);
      if (outcome.error.code !== "invalid_input") return refuseConsole(call, outcome.error, placeOf(call));
      const state = refusedForm(view, outcome.error, valuesIn(form), {}, fieldTexts(view));
      return await show(deps, call, { state, parts: refusedParts(outcome.error), settings: settingsIn(form) });
    },
  });
}

/** `/admin/oauth-clients/:id/brand/logo`: receives a form of the brand. */
export function clientLogoPage(deps: ClientBrandDeps): Page {
  return logoPage(deps, { path: `${BRAND}/logo`, theme: "light", field: "logo" });
}

/** `/admin/oauth-clients/:id/brand/logo-dark`: receives a form of the brand. */
export function clientLogoDarkPage(deps: ClientBrandDeps): Page {
  return logoPage(deps, { path: `${BRAND}/logo-dark`, theme: "dark", field: "logo-dark" });
}

interface LogoSpec {
  readonly path: string;
  readonly theme: LogoTheme;
  /** The id of the input. */
  readonly field: string;
}

function logoPage(deps: ClientBrandDeps, { path, theme, field }: LogoSpec): Page {
  const refused = async (call: ConsoleCall, refusal: Refusal) => {
    if (refusal.code !== "invalid_input") return refuseConsole(call, refusal, placeOf(call));
    const state = { errors: { [field]: call.view.t.brand.logoRefused } };
    return await show(deps, call, { state, parts: refusedParts(refusal) });
  };
  return consolePage(deps, {
    path,
    upload: { part: "file", maxBytes: LOGO_BYTES_MAX },
    get: (call) => seeOther(placeOf(call)),
    tooLarge: refused,
    async post(call) {
      const authorized = await authorizeBrandAdministrator(deps, call.caller.session, ownerIn(call));
      const outcome = authorized.ok ? await changeLogo(deps, call, authorized.value, theme) : authorized;
      return outcome.ok ? seeResult(placeOf(call), outcome.value) : await refused(call, outcome.error);
    },
  });
}

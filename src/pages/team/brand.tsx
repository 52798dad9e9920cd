/** `/team/brand`: the brand of the session's organization, for owners and admins. */
import type { BrandSettings, LogoTheme } from "../../base/brand-values.ts";
import type { Refusal } from "../../base/problem.ts";
import { type BrandDeps, readBrand } from "../../flows/brand/change.ts";
import { authorizeBrandAdministrator } from "../../flows/steps/authorization/authorize-brand.ts";
import type { Reply } from "../../http/reply.ts";
import { LOGO_BYTES_MAX } from "../../limits/brand-limits.ts";
import { changeBrand, changeLogo, resultOf } from "../brand/actions.ts";
import { displayedLook, fieldTexts, previewStyle, settingsIn, valuesIn } from "../brand/form.ts";
import { BrandEditor } from "../brand/view.tsx";
import type { FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeOther, seeResult } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";

const PATH = "/team/brand";
type TeamBrandDeps = BrandDeps & SignedInUserDeps;

interface Displayed {
  readonly state?: FormState;
  readonly parts?: DisplayedParts;
  /** The submitted settings, for the preview. */
  readonly settings?: BrandSettings;
}

function authorize(deps: TeamBrandDeps, { caller: { session } }: AuthenticatedCall) {
  return authorizeBrandAdministrator(deps, session, { kind: "organization", id: session.organizationId });
}

async function show(deps: TeamBrandDeps, call: AuthenticatedCall, displayed: Displayed = {}): Promise<Reply> {
  const { state = {}, parts = {}, settings } = displayed;
  const [{ profile, view }, authorized] = await Promise.all([signedInUser(deps, call), authorize(deps, call)]);
  const found = authorized.ok ? await readBrand(deps, authorized.value) : authorized;
  if (!found.ok) return refusedPage(view, found.error, { forbidden: view.t.brand.forbidden });
  const brand = found.value;
  const look = displayedLook(brand, settings);
  const style = previewStyle(view, look);
  const body = (
    <Shell at="/team" profile={profile} below={view.t.brand.title}>
      <h1>{view.t.brand.title}</h1>
      <BrandEditor brand={brand} path={PATH} state={state} displayed={look} />
    </Shell>
  );
  const done = resultOf(view, call.result);
  return showPage(view, { title: view.t.brand.title, body, style, done, islands: ["upload"], ...parts });
}

/** The form with the submitted values, and the problems of its fields. */
async function refuse(deps: TeamBrandDeps, call: AuthenticatedCall, refusal: Refusal): Promise<Reply> {
  const { view } = await signedInUser(deps, call);
  if (refusal.code !== "invalid_input") return refusedPage(view, refusal, { forbidden: view.t.brand.forbidden });
  const state = refusedForm(view, refusal, valuesIn(call.form), {}, fieldTexts(view));
  return await show(deps, call, { state, parts: refusedParts(refusal), settings: settingsIn(call.form) });
}

export function teamBrandPage(deps: TeamBrandDeps): Page {
  return authenticatedPage({
    path: PATH,
    ofOrganization: true,
    get: (call) => show(deps, call),
    async post(call) {
      if (call.form.text("step") === "preview") {
        return await show(deps, call, { state: { values: valuesIn(call.form) }, settings: settingsIn(call.form) });
      }
      const authorized = await authorize(deps, call);
      const outcome = authorized.ok ? await changeBrand(deps, call, authorized.value) : authorized;
      return outcome.ok ? seeResult(PATH, outcome.value) : await refuse(deps, call, outcome.error);
    },
  });
}

/** `/team/brand/logo`: receives a form of `/team/brand`. */
export function teamLogoPage(deps: TeamBrandDeps): Page {
  return logoPage(deps, { path: `${PATH}/logo`, theme: "light", field: "logo" });
}

/** `/team/brand/logo-dark`: receives a form of `/team/brand`. */
export function teamLogoDarkPage(deps: TeamBrandDeps): Page {
  return logoPage(deps, { path: `${PATH}/logo-dark`, theme: "dark", field: "logo-dark" });
}

interface LogoSpec {
  readonly path: string;
  readonly theme: LogoTheme;
  /** The id of the input. */
  readonly field: string;
}

function logoPage(deps: TeamBrandDeps, { path, theme, field }: LogoSpec): Page {
  const refused = async (call: AuthenticatedCall, refusal: Refusal) => {
    const { view } = await signedInUser(deps, call);
    if (refusal.code !== "invalid_input") return refusedPage(view, refusal, { forbidden: view.t.brand.forbidden });
    const state = { errors: { [field]: view.t.brand.logoRefused } };
    return await show(deps, call, { state, parts: refusedParts(refusal) });
  };
  return authenticatedPage({
    path,
    ofOrganization: true,
    upload: { part: "file", maxBytes: LOGO_BYTES_MAX },
    get: () => seeOther(PATH),
    tooLarge: refused,
    async post(call) {
      const authorized = await authorize(deps, call);
      const outcome = authorized.ok ? await changeLogo(deps, call, authorized.value, theme) : authorized;
      return outcome.ok ? seeResult(PATH, outcome.value) : await refused(call, outcome.error);
    },
  });
}

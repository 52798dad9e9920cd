/** `/team/brand`: the brand of the session's organization, for owners and admins. */
import type { LogoTheme } from "../../base/brand-values.ts";
import type { Refusal } from "../../base/problem.ts";
import { type BrandDeps, readBrand } from "../../flows/brand/change.ts";
import { authorizeBrandAdministrator } from "../../flows/steps/authorization/authorize-brand.ts";
import type { Reply } from "../../http/reply.ts";
import { LOGO_BYTES_MAX } from "../../limits/brand-limits.ts";
import { type ActionPage, postAction, shellFrame } from "../action-page.tsx";
import { type BrandInput, type BrandState, brandActions, brandResult, changeLogo } from "../brand/actions.ts";
import { displayedLook, previewStyle } from "../brand/form.ts";
import { BrandEditor } from "../brand/view.tsx";
import { Shell } from "../components/layout.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeOther, seeResult } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";

const PATH = "/team/brand";
type TeamBrandDeps = BrandDeps & SignedInUserDeps;

function authorize(deps: TeamBrandDeps, { caller: { session } }: AuthenticatedCall) {
  return authorizeBrandAdministrator(deps, { session }, { kind: "organization", id: session.organizationId });
}

async function show(
  deps: TeamBrandDeps,
  call: AuthenticatedCall,
  { state = {}, settings }: BrandState = {},
  parts: DisplayedParts = {},
): Promise<Reply> {
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
  const done = brandResult(view, call.result);
  return showPage(view, { title: view.t.brand.title, body, style, done, islands: ["upload"], ...parts });
}

const PAGE: ActionPage<BrandInput, BrandState> = {
  frame: shellFrame("/team"),
  actions: brandActions,
  place: () => PATH,
  problems: ({ t }) => ({ forbidden: t.brand.forbidden }),
  show: ({ deps, call }, state, parts) => show(deps, call, state, parts),
};

export function teamBrandPage(deps: TeamBrandDeps): Page {
  return authenticatedPage({
    path: PATH,
    ofOrganization: true,
    get: (call) => show(deps, call),
    post: (call) =>
      postAction(PAGE, {
        deps,
        call,
        authorize: () => authorize(deps, call),
        display: (state) => show(deps, call, state),
      }),
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
    return await show(deps, call, { state }, refusedParts(refusal));
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

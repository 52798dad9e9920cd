/** The brand of an application or organization in the console. Editing needs a step-up, as in the API. */
import type { LogoTheme } from "../../../base/brand-values.ts";
import type { Refusal } from "../../../base/problem.ts";
import { isUuid, NIL_UUID } from "../../../base/random.ts";
import { type BrandDeps, readBrand } from "../../../flows/brand/change.ts";
import {
  authorizePlatformBrandAdministrator,
  authorizePlatformBrandReader,
} from "../../../flows/steps/authorization/authorize-brand.ts";
import type { Reply } from "../../../http/reply.ts";
import { LOGO_BYTES_MAX } from "../../../limits/brand-limits.ts";
import type { BrandOwner } from "../../../models/brand/brand.ts";
import { type ActionPage, postAction } from "../../action-page.tsx";
import { type BrandInput, type BrandState, brandActions, brandResult, changeLogo } from "../../brand/actions.ts";
import { displayedLook, previewStyle } from "../../brand/form.ts";
import { BrandPreview } from "../../brand/preview.tsx";
import { BrandEditor } from "../../brand/view.tsx";
import { ItemHead } from "../../components/item-head.tsx";
import { EditAfterStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { type Page, seeOther, seeResult } from "../../page.ts";
import { refusedParts } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { type ConsoleCall, consolePage, editPermission, refuseConsole, showConsole } from "../console.tsx";
import { consoleFrame } from "../console-actions.tsx";
import { CLIENTS } from "../oauth-clients/paths.ts";
import { ORGANIZATIONS } from "../organizations/list.ts";

type ConsoleBrandDeps = BrandDeps & SignedInUserDeps;

interface LogoSpec {
  readonly path: string;
  readonly theme: LogoTheme;
  /** The id of the input. */
  readonly field: string;
}

/** The pages of one kind of owner. */
interface BrandPlace {
  readonly kind: BrandOwner["kind"];
  /** The list of the owners. */
  readonly list: typeof CLIENTS | typeof ORGANIZATIONS;
  readonly path: string;
  readonly logos: readonly LogoSpec[];
}

const APPLICATION: BrandPlace = {
  kind: "application",
  list: CLIENTS,
  path: "/admin/oauth-clients/:id/brand",
  logos: [
    { path: "/admin/oauth-clients/:id/brand/logo", theme: "light", field: "logo" },
    { path: "/admin/oauth-clients/:id/brand/logo-dark", theme: "dark", field: "logo-dark" },
  ],
};
const ORGANIZATION: BrandPlace = {
  kind: "organization",
  list: ORGANIZATIONS,
  path: "/admin/organizations/:id/brand",
  logos: [
    { path: "/admin/organizations/:id/brand/logo", theme: "light", field: "logo" },
    { path: "/admin/organizations/:id/brand/logo-dark", theme: "dark", field: "logo-dark" },
  ],
};

function ownerIn({ kind }: BrandPlace, { params: { id = "" } }: ConsoleCall): BrandOwner {
  return { kind, id: isUuid(id) ? id : NIL_UUID };
}

function addressOf(place: BrandPlace, call: ConsoleCall): string {
  return place.path.replace(":id", () => ownerIn(place, call).id);
}

async function show(
  deps: ConsoleBrandDeps,
  place: BrandPlace,
  call: ConsoleCall,
  { state = {}, settings }: BrandState = {},
  parts: DisplayedParts = {},
): Promise<Reply> {
  const { view } = call;
  const owner = ownerIn(place, call);
  const authorized = await authorizePlatformBrandReader(deps, call.caller, owner);
  const found = authorized.ok ? await readBrand(deps, authorized.value) : authorized;
  if (!found.ok) return refuseConsole(call, found.error, place.list);
  const brand = found.value;
  const path = addressOf(place, call);
  const editor = { brand, path, state, displayed: displayedLook(brand, settings) };
  const may = await editPermission(deps, call);
  const title = view.t.brand.titleOf({ name: brand.name });
  const body = (
    <>
      <ItemHead list={{ path: `${place.list}/${owner.id}`, title: brand.name }} name={title} tags={null} />
      {may === "edit" ? <BrandEditor {...editor} /> : <BrandPreview {...editor} />}
      {may === "see" && <EditAfterStepUp at={path} />}
    </>
  );
  const done = brandResult(view, call.result);
  const style = previewStyle(view, editor.displayed);
  return showConsole(call, { at: place.list, inside: true, title, body, style, done, islands: ["upload"], ...parts });
}

/** `/admin/oauth-clients/:id/brand` and `/admin/organizations/:id/brand`, each with the receivers of the logos. */
export function brandPages(deps: ConsoleBrandDeps): readonly Page[] {
  return [APPLICATION, ORGANIZATION].flatMap((place) => [
    brandPage(deps, place),
    ...place.logos.map((logo) => logoPage(deps, place, logo)),
  ]);
}

interface ConsoleBrandInput extends BrandInput {
  readonly deps: ConsoleBrandDeps;
  readonly call: ConsoleCall;
}

function brandPage(deps: ConsoleBrandDeps, place: BrandPlace): Page {
  const page: ActionPage<ConsoleBrandInput, BrandState> = {
    frame: consoleFrame(place.list),
    actions: brandActions,
    place: ({ call }) => addressOf(place, call),
    show: ({ call }, state, parts) => show(deps, place, call, state, parts),
  };
  return consolePage(deps, {
    path: place.path,
    get: (call) => show(deps, place, call),
    post: (call) =>
      postAction(page, {
        deps,
        call,
        authorize: () => authorizePlatformBrandAdministrator(deps, call.caller, ownerIn(place, call)),
        display: (state) => show(deps, place, call, state),
      }),
  });
}

function logoPage(deps: ConsoleBrandDeps, place: BrandPlace, { path, theme, field }: LogoSpec): Page {
  const refused = async (call: ConsoleCall, refusal: Refusal) => {
    if (refusal.code !== "invalid_input") return refuseConsole(call, refusal, addressOf(place, call));
    const state = { errors: { [field]: call.view.t.brand.logoRefused } };
    return await show(deps, place, call, { state }, refusedParts(refusal));
  };
  return consolePage(deps, {
    path,
    upload: { part: "file", maxBytes: LOGO_BYTES_MAX },
    get: (call) => seeOther(addressOf(place, call)),
    tooLarge: refused,
    async post(call) {
      const authorized = await authorizePlatformBrandAdministrator(deps, call.caller, ownerIn(place, call));
      const outcome = authorized.ok ? await changeLogo(deps, call, authorized.value, theme) : authorized;
      return outcome.ok ? seeResult(addressOf(place, call), outcome.value) : await refused(call, outcome.error);
    },
  });
}

import type { BrandPalette, Theme } from "../../base/brand-palette.ts";
import type { LogoTheme } from "../../base/brand-values.ts";
import { lazily } from "../../base/lazily.ts";
import { ok } from "../../base/result.ts";
import { tenantPalettes } from "../../config/brand-palettes.ts";
import type { StoreDeps } from "../../deps.ts";
import { type BrandDeps, readBrand, removeLogo, storeLogo, updateBrand } from "../../flows/brand/change.ts";
import { readLogo } from "../../flows/brand/read-logo.ts";
import { authorizeBrandAdministrator, authorizeBrandReader } from "../../flows/steps/authorization/authorize-brand.ts";
import { LOGO_BYTES_MAX } from "../../limits/brand-limits.ts";
import type { BrandOwner, StoredBrand } from "../../models/brand/brand.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { PICTURE_HEADERS } from "../picture-headers.ts";
import { logoUrl } from "../profile.ts";
import { bytesReply, emptyReply, reply } from "../reply.ts";
import { BrandBody, BrandItem, LogoFile } from "../schemas/brand.ts";

const tag = "Brands";

type LogoSuffix = "Logo" | "LogoDark";

/** The endpoints of a kind of owner. */
type BrandPermission = "oauth_clients.read" | "oauth_clients.write" | "organization.update";

interface OwnerRoutes {
  readonly kind: BrandOwner["kind"];
  readonly path: string;
  /** The path parameter with the id of the owner. */
  readonly parameter: string;
  /** The noun in operation ids. */
  readonly noun: string;
  /** The method of `clients/js`. */
  readonly clientMethod: (verb: "delete" | "get" | "update" | "upload", part: "Brand" | LogoSuffix) => string;
  readonly article: string;
  readonly problems: readonly ("forbidden" | "mfa_required" | "not_found")[];
  readonly permissions: { readonly read: BrandPermission; readonly write: BrandPermission };
}

const ORGANIZATION: OwnerRoutes = {
  kind: "organization",
  path: "/orgs/:org_id/brand",
  parameter: "org_id",
  noun: "Organization",
  clientMethod: (verb, part) => (part === "Brand" ? `brand.${verb}` : `brand.${verb}${part}`),
  article: "an organization",
  problems: ["not_found", "forbidden"],
  permissions: { read: "organization.update", write: "organization.update" },
};
const APPLICATION: OwnerRoutes = {
  kind: "application",
  path: "/admin/oauth-clients/:id/brand",
  parameter: "id",
  noun: "OAuthClient",
  clientMethod: (verb, part) => `admin.oauthClients.${verb}${part}`,
  article: "an application",
  problems: ["forbidden", "mfa_required", "not_found"],
  permissions: { read: "oauth_clients.read", write: "oauth_clients.write" },
};

/** docs/contract.md, section 28. */
export function brandRoutes(deps: BrandDeps): Endpoint[] {
  const palettes = lazily(() => tenantPalettes(deps.config.brand));
  const bodyOf = (brand: StoredBrand) => brandBody(deps, palettes, brand);
  return [
    ...[ORGANIZATION, APPLICATION].flatMap((routes) => [
      ...settingsRoutes(deps, routes, bodyOf),
      ...logoRoutes(deps, routes, "light", bodyOf),
      ...logoRoutes(deps, routes, "dark", bodyOf),
    ]),
    publicLogoRoute(deps),
  ];
}

type BodyOf = (brand: StoredBrand) => ReturnType<typeof brandBody>;

function ownerIn({ kind, parameter }: OwnerRoutes, params: Readonly<Record<string, string>>): BrandOwner {
  return { kind, id: params[parameter] ?? "" };
}

function settingsRoutes(deps: BrandDeps, routes: OwnerRoutes, bodyOf: BodyOf): Endpoint[] {
  const { path, noun, article, problems, permissions } = routes;
  return [
    endpoint({
      method: "GET",
      path,
      operationId: `get${noun}Brand`,
      docs: { clientMethod: routes.clientMethod("get", "Brand"), section: "28.2" },
      tag,
      summary: `Get the brand of ${article}`,
      auth: "administrative",
      permission: permissions.read,
      responses: { 200: { description: "The stored values, and the colours that pages display", schema: BrandItem } },
      problems,
      authorize: (caller, params) => authorizeBrandReader(deps, caller, ownerIn(routes, params)),
      async handle({ authorized }) {
        const brand = await readBrand(deps, authorized);
        return brand.ok ? ok(reply(200, bodyOf(brand.value))) : brand;
      },
    }),
    endpoint({
      method: "PUT",
      path,
      operationId: `update${noun}Brand`,
      docs: { clientMethod: routes.clientMethod("update", "Brand"), section: "28.2" },
      tag,
      summary: `Replace the brand of ${article}`,
      description: "Absent members become null: the value of the deployment applies. The logos remain.",
      auth: "administrative",
      permission: permissions.write,
      input: { body: BrandBody },
      responses: { 200: { description: "The updated brand", schema: BrandItem } },
      problems,
      authorize: (caller, params) => authorizeBrandAdministrator(deps, caller, ownerIn(routes, params)),
      async handle({ authorized: caller, body, client }) {
        const settings = {
          accent: body.accent ?? null,
          radius: body.radius ?? null,
          termsUrl: body.terms_url ?? null,
          privacyUrl: body.privacy_url ?? null,
          supportUrl: body.support_url ?? null,
        };
        const brand = await updateBrand(deps, { caller, client, settings });
        return brand.ok ? ok(reply(200, bodyOf(brand.value))) : brand;
      },
    }),
  ];
}

const LOGOS = {
  light: { path: "logo", suffix: "Logo", noun: "logo" },
  dark: { path: "logo-dark", suffix: "LogoDark", noun: "logo for the dark theme" },
} as const;

function logoRoutes(deps: BrandDeps, routes: OwnerRoutes, theme: LogoTheme, bodyOf: BodyOf): Endpoint[] {
  const { noun, article, problems, permissions } = routes;
  const logo = LOGOS[theme];
  const path = `${routes.path}/${logo.path}`;
  return [
    endpoint({
      method: "PUT",
      path,
      operationId: `upload${noun}${logo.suffix}`,
      docs: { clientMethod: routes.clientMethod("upload", logo.suffix), section: "28.3" },
      tag,
      summary: `Set the ${logo.noun} of ${article}`,
      description:
        "PNG, JPEG or WebP by content, at most 1 MiB and 16 megapixels. The service re-encodes the picture as PNG " +
        "without metadata, at most 640 by 112 pixels.",
      auth: "administrative",
      permission: permissions.write,
      input: { upload: { part: "file", maxBytes: LOGO_BYTES_MAX } },
      responses: { 200: { description: "The updated brand", schema: BrandItem } },
      problems,
      authorize: (caller, params) => authorizeBrandAdministrator(deps, caller, ownerIn(routes, params)),
      async handle({ authorized: caller, client, file }) {
        const brand = await storeLogo(deps, { caller, client, theme, file });
        return brand.ok ? ok(reply(200, bodyOf(brand.value))) : brand;
      },
    }),
    endpoint({
      method: "DELETE",
      path,
      operationId: `delete${noun}${logo.suffix}`,
      docs: { clientMethod: routes.clientMethod("delete", logo.suffix), section: "28.3" },
      tag,
      summary: `Remove the ${logo.noun} of ${article}`,
      auth: "administrative",
      permission: permissions.write,
      responses: { 204: { description: "Removed, or absent before" } },
      problems,
      authorize: (caller, params) => authorizeBrandAdministrator(deps, caller, ownerIn(routes, params)),
      async handle({ authorized: caller, client }) {
        const brand = await removeLogo(deps, { caller, client, theme });
        return brand.ok ? ok(emptyReply(204)) : brand;
      },
    }),
  ];
}

function publicLogoRoute(deps: BrandDeps): Endpoint {
  return endpoint({
    method: "GET",
    path: "/logos/:file",
    prefixed: false,
    input: { textParameters: true },
    docs: { clientMethod: "brand.getLogo", section: "28.4", params: { file: LogoFile } },
    operationId: "getLogo",
    tag,
    summary: "Get a logo",
    auth: "none",
    limits: { address: "public_reads" },
    responses: {
      200: {
        description: "PNG, at most 640 by 112",
        contentType: "image/png",
        headers: ["Cache-Control", "Content-Disposition"],
        example: "(bytes of the picture)",
      },
    },
    problems: ["not_found"],
    async handle({ params }) {
      const content = await readLogo(deps, params.file);
      return content.ok ? ok(bytesReply(200, "image/png", content.value, { headers: PICTURE_HEADERS })) : content;
    },
  });
}

function brandBody(
  { config }: Pick<StoreDeps, "config">,
  palettes: () => (accent: string) => BrandPalette,
  brand: StoredBrand,
) {
  const urlOf = (hash: string | null) => (hash === null ? null : logoUrl(config, hash));
  return {
    accent: brand.accent,
    radius: brand.radius,
    logo_url: urlOf(brand.logoHash),
    logo_dark_url: urlOf(brand.logoDarkHash),
    terms_url: brand.termsUrl,
    privacy_url: brand.privacyUrl,
    support_url: brand.supportUrl,
    palette: brand.accent === null ? null : coloursOf(palettes()(brand.accent)),
    updated_at: brand.updatedAt?.toISOString() ?? null,
  };
}

function coloursOf(palette: BrandPalette) {
  const of = (theme: Theme) => ({ button: palette[theme].fill, link: palette[theme].accent });
  return { light: of("light"), dark: of("dark") };
}

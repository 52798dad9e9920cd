/** The brand that a page displays: the deployment, overlaid by the tenants that the page concerns. */
import type { Config } from "../config/config.ts";
import type { TenantBrand } from "../flows/brand/resolve-brand.ts";
import { logoUrl } from "../http/profile.ts";
import type { Assets } from "./assets.ts";
import { brandIcon } from "./brand-icon.ts";
import type { TenantStyles } from "./tenant-styles.ts";

export interface PageBrand {
  readonly name: string;
  /** Addresses of pictures of this origin. */
  readonly logo: string | undefined;
  readonly logoDark: string | undefined;
  /** The address of the icon in a tab: the logo, else a picture in the colour of the brand. */
  readonly icon: string;
  /** The rule of a tenant, which a page contains beside the style sheets; empty for the deployment. */
  readonly style: string;
  readonly terms: string | undefined;
  readonly privacy: string | undefined;
  readonly support: string | undefined;
  /** The name of the deployment, on a page with the name of a tenant. */
  readonly provider: string | undefined;
}

interface BrandSite {
  readonly assets: Assets;
  readonly config: Config;
  readonly styles: TenantStyles;
}

/** The brand of the deployment, for pages without a known tenant. */
export function deploymentBrand({ assets, config }: Omit<BrandSite, "styles">): PageBrand {
  const { brand, policies } = config;
  return {
    name: brand.name,
    logo: assets.logo,
    logoDark: assets.logoDark,
    icon: assets.logo ?? assets.tintedIcon,
    style: "",
    terms: policies.terms,
    privacy: policies.privacy,
    support: brand.supportUrl,
    provider: undefined,
  };
}

/** The brand of the tenants, with the values of the deployment where the tenants have no value. */
export function pageBrand(site: BrandSite, tenant: TenantBrand): PageBrand {
  const own = deploymentBrand(site);
  const pathOf = (hash: string | undefined) => (hash === undefined ? undefined : logoPath(site, hash));
  const look =
    tenant.name === undefined
      ? own
      : {
          name: tenant.name,
          logo: pathOf(tenant.logoHash ?? tenant.logoDarkHash),
          logoDark: pathOf(tenant.logoDarkHash),
        };
  return {
    name: look.name,
    logo: look.logo,
    logoDark: look.logoDark,
    icon: tenant.name === undefined ? own.icon : tenantIcon(site, tenant, look.logo),
    style: site.styles.rule(":root", tenant),
    terms: tenant.termsUrl ?? own.terms,
    privacy: tenant.privacyUrl ?? own.privacy,
    support: tenant.supportUrl ?? own.support,
    provider: tenant.name === undefined ? undefined : own.name,
  };
}

/** A logo that is wider than an icon would not be legible in a tab. */
const ICON_SIDES_RATIO_MAX = 1.5;

function tenantIcon(
  { assets, styles }: BrandSite,
  { accent, logoSize }: TenantBrand,
  logo: string | undefined,
): string {
  if (logo && logoSize && logoSize.width <= logoSize.height * ICON_SIDES_RATIO_MAX) return logo;
  return accent === undefined ? assets.tintedIcon : brandIcon(styles.palette(accent).light.fill);
}

/** The path of a logo on this origin: the policy of pages permits no other origin. */
export function logoPath({ config }: Pick<BrandSite, "config">, hash: string): string {
  return new URL(logoUrl(config, hash)).pathname;
}

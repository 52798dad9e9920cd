import type { BrandPalette } from "../../base/brand-palette.ts";
import type { BrandTenants } from "../../base/brand-values.ts";
import { emailName } from "../../base/display-name.ts";
import type { Deps } from "../../deps.ts";
import { EMAIL_LOGO_PLACE } from "../../limits/brand-limits.ts";
import { logoPathOf } from "../../models/brand/brand.ts";
import type { EmailBrand, EmailLogo } from "../../providers/mail/email-brand.ts";
import { fittedSize } from "../../vocabulary/picture-size.ts";
import { provenPart } from "./proven-brand.ts";
import { resolveBrand, type TenantBrand } from "./resolve-brand.ts";

export interface EmailBrandDeps extends Pick<Deps, "brands"> {
  readonly deployment: () => Promise<EmailBrand>;
  readonly paletteOf: (accent: string) => BrandPalette;
}

/** The brand of an email: the deployment, overlaid by the tenants that the email concerns (G148). */
export async function resolveEmailBrand(
  deps: EmailBrandDeps,
  tenants: BrandTenants | undefined,
  toStranger = false,
): Promise<EmailBrand> {
  const brands = toStranger ? provenBrands(deps.brands) : deps.brands;
  const [deployment, tenant] = await Promise.all([deps.deployment(), tenants && resolveBrand({ brands }, tenants)]);
  return tenant ? overlaid(deps, deployment, tenant) : deployment;
}

/** Administrators of the platform choose the brand of an application; anybody founds an organization. */
function provenBrands(brands: EmailBrandDeps["brands"]): Pick<Deps["brands"], "find"> {
  return {
    async find(owner) {
      const brand = await brands.find(owner);
      return brand && owner.kind === "organization" ? provenPart(brand) : brand;
    },
  };
}

function overlaid({ paletteOf }: EmailBrandDeps, deployment: EmailBrand, tenant: TenantBrand): EmailBrand {
  const { accent, radius, termsUrl, privacyUrl, supportUrl } = tenant;
  return {
    ...deployment,
    ...nameAndLogo(deployment, tenant),
    palette: accent === undefined ? deployment.palette : paletteOf(accent),
    radius: radius ?? deployment.radius,
    termsUrl: termsUrl ?? deployment.termsUrl,
    privacyUrl: privacyUrl ?? deployment.privacyUrl,
    supportUrl: supportUrl ?? deployment.supportUrl,
  };
}

/**
 * Name and logo are one unit. A name that an email never contains (G92) leaves the name and the logo of the
 * deployment: a logo without a name would pretend that the deployment is the tenant.
 */
function nameAndLogo(deployment: EmailBrand, tenant: TenantBrand): Pick<EmailBrand, "name" | "provider" | "logo"> {
  const name = tenant.name === undefined ? undefined : emailName(tenant.name);
  if (name === undefined) return { name: deployment.name, logo: deployment.logo };
  return { name, provider: deployment.name, logo: logoOf(deployment, tenant) };
}

function logoOf({ publicBaseUrl }: EmailBrand, tenant: TenantBrand): EmailLogo | undefined {
  const { logoHash, logoDarkHash, logoSize } = tenant;
  const hash = logoHash ?? logoDarkHash;
  if (hash === undefined || logoSize === undefined) return undefined;
  const urlOf = (name: string) => `${publicBaseUrl}${logoPathOf(name)}`;
  return {
    url: urlOf(hash),
    darkUrl: logoDarkHash === undefined || logoDarkHash === hash ? undefined : urlOf(logoDarkHash),
    ...fittedSize(logoSize, EMAIL_LOGO_PLACE),
  };
}

import type { BrandTenants } from "../../base/brand-values.ts";
import type { Deps } from "../../deps.ts";
import type { BrandOwner, StoredBrand } from "../../models/brand/brand.ts";
import type { PictureSize } from "../../vocabulary/picture-size.ts";

/** The values of tenants; undefined values are values of the deployment. */
export interface TenantBrand {
  /** Undefined for a brand without accent and logo: the name belongs to the look. */
  readonly name: string | undefined;
  readonly accent: string | undefined;
  readonly radius: number | undefined;
  readonly logoHash: string | undefined;
  readonly logoDarkHash: string | undefined;
  readonly logoSize: PictureSize | undefined;
  readonly termsUrl: string | undefined;
  readonly privacyUrl: string | undefined;
  readonly supportUrl: string | undefined;
}

/**
 * The brand of the tenants: values of the application take precedence over values of the organization. Undefined for
 * tenants without a brand, so a page without a known tenant reads nothing.
 */
export async function resolveBrand(
  { brands }: { readonly brands: Pick<Deps["brands"], "find"> },
  { organizationId, clientId }: BrandTenants,
): Promise<TenantBrand | undefined> {
  const find = (kind: BrandOwner["kind"], id: string | undefined) =>
    id === undefined ? undefined : brands.find({ kind, id });
  const [organization, application] = await Promise.all([
    find("organization", organizationId),
    find("application", clientId),
  ]);
  if (!organization || !application) {
    const only = application ?? organization;
    return only && tenantBrand(only);
  }
  return mergeBrands(tenantBrand(organization), tenantBrand(application));
}

function tenantBrand(brand: StoredBrand): TenantBrand {
  const { accent, radius, logoHash, logoDarkHash, logoSize, termsUrl, privacyUrl, supportUrl } = brand;
  const hasLook = accent !== null || logoHash !== null || logoDarkHash !== null;
  return {
    name: hasLook ? brand.name : undefined,
    accent: accent ?? undefined,
    radius: radius ?? undefined,
    logoHash: logoHash ?? undefined,
    logoDarkHash: logoDarkHash ?? undefined,
    logoSize: logoSize ?? undefined,
    termsUrl: termsUrl ?? undefined,
    privacyUrl: privacyUrl ?? undefined,
    supportUrl: supportUrl ?? undefined,
  };
}

/** Name and logos are one unit: a page never has the name of one tenant beside the logo of another tenant. */
function mergeBrands(under: TenantBrand, over: TenantBrand): TenantBrand {
  const { name, logoHash, logoDarkHash, logoSize } = over.name === undefined ? under : over;
  return {
    name,
    logoHash,
    logoDarkHash,
    logoSize,
    accent: over.accent ?? under.accent,
    radius: over.radius ?? under.radius,
    termsUrl: over.termsUrl ?? under.termsUrl,
    privacyUrl: over.privacyUrl ?? under.privacyUrl,
    supportUrl: over.supportUrl ?? under.supportUrl,
  };
}

import { storedUrl } from "../../base/stored-url.ts";
import type { StoredBrand } from "../../models/brand/brand.ts";

/**
 * The part of the brand of an organization that an email to a stranger has: logo and links lend credibility, so both
 * need a domain whose ownership was proven, and a link leads to a host within such a domain.
 */
export function provenPart(brand: StoredBrand): StoredBrand {
  const { provenDomains: domains } = brand;
  const within = (url: string | null) => (url !== null && isWithin(url, domains) ? url : null);
  const logo = domains.length > 0 ? {} : { logoHash: null, logoDarkHash: null, logoSize: null };
  return {
    ...brand,
    ...logo,
    termsUrl: within(brand.termsUrl),
    privacyUrl: within(brand.privacyUrl),
    supportUrl: within(brand.supportUrl),
  };
}

function isWithin(url: string, domains: readonly string[]): boolean {
  const host = hostOf(url);
  return host !== undefined && domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** The host of a page or of a mailbox. */
function hostOf(url: string): string | undefined {
  if (url.startsWith("mailto:")) return url.slice(url.lastIndexOf("@") + 1);
  const stored = storedUrl(url);
  return stored && new URL(stored).hostname;
}

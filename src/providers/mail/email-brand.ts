/** The name and look of an email: of the deployment, or of the tenant that the email concerns. */
import type { BrandPalette } from "../../base/brand-palette.ts";

/** A PNG at an address of this service, with the size in the email: Outlook ignores style sheets. */
export interface EmailLogo {
  readonly url: string;
  /** The logo in the dark theme, where the picture differs. */
  readonly darkUrl?: string | undefined;
  readonly width: number;
  readonly height: number;
}

export interface EmailBrand {
  /** The name above the card. */
  readonly name: string;
  /** The name of the deployment, in an email with the name of a tenant. */
  readonly provider?: string | undefined;
  /** Host of the public base URL. */
  readonly host: string;
  readonly publicBaseUrl: string;
  readonly palette: BrandPalette;
  /** Corner radius of buttons in pixels. */
  readonly radius?: number | undefined;
  readonly logo?: EmailLogo | undefined;
  readonly termsUrl?: string | undefined;
  readonly privacyUrl?: string | undefined;
  readonly supportUrl?: string | undefined;
}

/** The logo of the deployment as PNG: most email clients display neither SVG nor WebP. */

import { EMAIL_LOGO_PLACE } from "../limits/brand-limits.ts";
import { fittedSize, type PictureSize } from "../vocabulary/picture-size.ts";

export const EMAIL_LOGO_PATH = "/assets/email-logo.png";
export const EMAIL_LOGO_DARK_PATH = "/assets/email-logo-dark.png";

/** Pixels of the picture for each displayed pixel: displays with a high density stay sharp. */
const DENSITY = 2;

export interface EmailLogoFile {
  readonly png: Buffer;
  /** The size in an email. */
  readonly size: PictureSize;
}

/** The library is loaded at the first logo: most replicas never convert one. */
export async function readEmailLogo(file: string): Promise<EmailLogoFile> {
  const { default: sharp } = await import("sharp");
  const { width, height } = await sharp(file).metadata();
  const size = fittedSize({ width, height }, EMAIL_LOGO_PLACE);
  const png = await sharp(file)
    .resize({ width: size.width * DENSITY, height: size.height * DENSITY })
    .png()
    .toBuffer();
  return { png, size };
}

/** The variables of name, look and links of a deployment. */
import { contactUrl, file, hexColour, pageUrl, plainText, wholeNumber } from "./parsers.ts";
import { optional } from "./variable.ts";

export const BRAND_VARIABLES = {
  SERVICE_BRAND_NAME: optional(
    plainText,
    "what pages and emails are signed with; default: the public host, and `Identity` when embedded",
  ),
  SERVICE_BRAND_LOGO: optional(file, "picture beside the name on pages and emails: SVG, PNG, WebP or JPEG"),
  SERVICE_BRAND_LOGO_DARK: optional(
    file,
    "the logo in the dark theme of pages and emails, beside `SERVICE_BRAND_LOGO`",
  ),
  SERVICE_BRAND_ACCENT: optional(
    hexColour,
    "colour of buttons and links, `#rrggbb`; the service changes the lightness until texts have a contrast of 4.5",
  ),
  SERVICE_BRAND_RADIUS: optional(wholeNumber(0, 24), "corner radius of buttons and fields in pixels"),
  SERVICE_BRAND_STYLE: optional(
    file,
    "CSS file of variables that replaces colours, radius and fonts of the pages, and the colours of emails",
  ),
  SERVICE_TERMS_URL: optional(
    pageUrl,
    "terms of service of the deployment; a link on the registration page and in emails",
  ),
  SERVICE_PRIVACY_URL: optional(
    pageUrl,
    "privacy policy of the deployment; a link on the registration page and in emails",
  ),
  SERVICE_SUPPORT_URL: optional(contactUrl, "help, linked from emails: an http(s) or `mailto:` address"),
} as const;

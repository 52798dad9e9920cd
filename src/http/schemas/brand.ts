import { Type } from "@sinclair/typebox";
import { BRAND_RADIUS_MAX_PIXELS, BRAND_URL_MAX_CHARACTERS } from "../../limits/brand-limits.ts";
import { nullable, Timestamp, text, url } from "./common.ts";

const address = (example: string, description: string) =>
  nullable(
    Type.String({
      documented: { format: "uri", maxLength: BRAND_URL_MAX_CHARACTERS },
      examples: [example],
      description,
    }),
  );

const settings = {
  accent: nullable(
    Type.String({
      documented: { pattern: "^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$" },
      examples: ["#0f766e"],
      description: "colour of buttons and links; the service changes the lightness until texts have a contrast of 4.5",
    }),
  ),
  radius: nullable(
    Type.Integer({
      documented: { minimum: 0, maximum: BRAND_RADIUS_MAX_PIXELS },
      examples: [8],
      description: "corner radius of buttons and fields in pixels",
    }),
  ),
  terms_url: address("https://acme.test/terms", "terms of service"),
  privacy_url: address("https://acme.test/privacy", "privacy policy"),
  support_url: address("https://acme.test/help", "help: an http(s) or `mailto:` address"),
};

/** Absent members are null. */
export const BrandBody = Type.Object(
  {
    accent: Type.Optional(settings.accent),
    radius: Type.Optional(settings.radius),
    terms_url: Type.Optional(settings.terms_url),
    privacy_url: Type.Optional(settings.privacy_url),
    support_url: Type.Optional(settings.support_url),
  },
  { $id: "BrandSettings" },
);

const colours = Type.Object({ button: text("#0f766e", "white text"), link: text("#0f766e") });

export const BrandItem = Type.Object(
  {
    ...settings,
    logo_url: nullable(url("https://auth.acme.test/logos/3f2a9c.png", "logo in the light theme")),
    logo_dark_url: nullable(url("https://auth.acme.test/logos/7d1e04.png", "logo in the dark theme")),
    palette: nullable(
      Type.Object({ light: colours, dark: colours }, { description: "the displayed colours of the accent" }),
    ),
    updated_at: nullable(Timestamp),
  },
  { $id: "Brand", description: "Null: the value of the deployment applies" },
);

export const LogoFile = text("3f2a9c.png", "name of the picture");

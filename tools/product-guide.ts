/** docs/guides/connect-a-product.md from the product presets (`npm run docs:products`). */
import { PRODUCT_PRESETS, type ProductPreset, setupOf } from "../src/flows/oauth/presets/product-presets.ts";

export const PRODUCT_GUIDE_FILE = "docs/guides/connect-a-product.md";

const INTRODUCTION = [
  "# Connect a product",
  "",
  "Grafana, GitLab, MinIO and further products sign users in with this service by OpenID Connect. A preset has the",
  "settings of the product, the claims for the product, and the text for the configuration of the product.",
  "",
  "1. In the console open Applications, New application, Connect a product (`/admin/oauth-clients/products`), choose",
  "   the product and enter the inputs. Products that are APIs: APIs, New API (`/admin/resources/products`).",
  "   By the API: POST /v1/admin/oauth-clients with `preset` and `inputs` ([contract.md](../contract.md), section",
  "   23.35); as code: [clients-as-code.md](clients-as-code.md#products).",
  "2. Copy the displayed configuration to the product, with the secret in place of `<client secret>`.",
  "3. Preview the claims of a user before the first sign-in (section 23.34).",
  "",
  "Organizations control their groups, roles and slugs. A product that reads such a value as a permission therefore",
  "serves one named organization: the input `organization_id`. Without the restriction, every registered user could",
  "create an organization with a group `admins`.",
  "",
  "`name` and `preferred_username` need no claim mapping ([contract.md](../contract.md), section 23.9). Users can",
  "change the display name, so no product may use `name` for permissions.",
  "",
  "A product that finds accounts by `email` must receive verified addresses alone: set",
  "`SERVICE_REQUIRE_VERIFIED_EMAIL` to `on`. Otherwise a user could register with the address of another person.",
  "The presets identify accounts by `sub` or `preferred_username`, where the product has such a setting; Outline uses",
  "`email`.",
  "",
  "## Products",
  "",
].join("\n");

/** What the product sends beside the parameters that every product sends. */
function binding({ members, unboundCodes }: ProductPreset): string {
  if (unboundCodes) return "neither PKCE nor a nonce: codes are not bound to the browser";
  return members.require_pkce === false ? "a nonce" : "PKCE";
}

function mappings({ members }: ProductPreset): readonly string[] {
  const list = Array.isArray(members.claim_mappings) ? members.claim_mappings : [];
  return [...new Set(list.map(({ claim }: { readonly claim: string }) => `\`${claim}\``))];
}

function row(preset: ProductPreset): string {
  const inputs = preset.inputs.map(({ name, required }) => `\`${name}\`${required ? "" : " (optional)"}`).join(", ");
  const kind = preset.kind === "api" ? "an API" : binding(preset);
  const name = `[${preset.name}](#${preset.preset.replaceAll("_", "-")})`;
  return `| ${name} | \`${preset.preset}\` | ${inputs} | ${kind} | ${mappings(preset).join(", ") || "–"} |`;
}

function example(preset: ProductPreset): string[] {
  const inputs = Object.fromEntries(preset.inputs.map(({ name, type }) => [name, sampleOf(name, type)]));
  const values = { ...inputs, issuer: "https://auth.example.com", client_id: "0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e" };
  const { format, text } = setupOf(preset, values);
  const language = format === "steps" || format === "env" ? "sh" : format;
  return [`\`\`\`${language} example`, text, "```"];
}

function sampleOf(name: string, type: string): string {
  if (type === "url")
    return name === "redirect_uri" ? "https://product.example.com/callback" : "https://product.example.com";
  return type === "organization" ? "0198c0de-7a11-7cc3-b2d4-000000000001" : name === "quota" ? "5GB" : "acme";
}

function section(preset: ProductPreset): string[] {
  const uris = Array.isArray(preset.members.redirect_uris) ? preset.members.redirect_uris : [];
  const addresses = uris.map(
    (uri) => `\`${String(uri).replace(/\{\{(\w+)\}\}/g, (_match, name: string) => `<${name}>`)}\``,
  );
  const redirects = addresses.length > 0 ? ` Redirect URIs: ${addresses.join(", ")}.` : "";
  return [
    `### ${preset.preset.replaceAll("_", "-")}`,
    "",
    `${preset.name}: <${preset.guide}>.${redirects}`,
    "",
    ...example(preset),
    "",
  ];
}

/** The guide. */
export function productGuide(): string {
  const lines = [
    "| Product | Preset | Inputs | Sends | Claim mappings |",
    "| --- | --- | --- | --- | --- |",
    ...PRODUCT_PRESETS.map(row),
    "",
    ...PRODUCT_PRESETS.flatMap(section),
  ];
  return `${INTRODUCTION}\n${lines.join("\n").trimEnd()}\n`;
}

if (import.meta.main) await Bun.write(PRODUCT_GUIDE_FILE, productGuide());

/** The presets of docs/guides/social-providers.md (`npm run docs:social`). The text before the mark is by hand. */
import { readFileSync, writeFileSync } from "node:fs";
import { completeSocialConfig, SOCIAL_PRESETS, type SocialPreset } from "../src/models/social-provider/presets.ts";

export const SOCIAL_GUIDE_FILE = "docs/guides/social-providers.md";
const MARK = "<!-- generated:presets -->\n";
const PROTOCOLS = { oidc: "OpenID Connect", oauth2: "OAuth 2.0" } as const;

/** The guide with the presets in the order of their names. */
export function socialGuide(): string {
  const [head = ""] = readFileSync(SOCIAL_GUIDE_FILE, "utf8").split(MARK);
  return `${head}${MARK}${SOCIAL_PRESETS.map(section).join("")}`;
}

function section({ preset, name, guide, notes }: SocialPreset): string {
  const { protocol, issuer, scopes, email_trust: trust } = completeSocialConfig({ preset }, preset);
  const needsIssuer = protocol === "oidc" && issuer === null;
  const rows = [
    ["Redirect URI to register", `\`…/auth/oauth/${preset}/callback\` with the key \`${preset}\``],
    ["To copy", `client id and secret${needsIssuer ? ", and the issuer" : ""}`],
    ...(issuer === null ? [] : [["Issuer", `\`${issuer}\``]]),
    ...(scopes.length === 0 ? [] : [["Scopes", scopes.map((scope) => `\`${scope}\``).join(", ")]]),
    ["Trust in addresses", trust === "never" ? "`never`: addresses are unverified" : `\`${trust}\``],
  ];
  const table = rows.map(([setting, value]) => `| ${setting} | ${value} |\n`).join("");
  const registration = `Registration: [${new URL(guide).hostname}](${guide}).`;
  return (
    `\n## ${name}\n\nPreset \`${preset}\`, ${PROTOCOLS[protocol]}. ${registration}\n\n${notes}\n\n` +
    `| Setting | Value |\n| --- | --- |\n${table}`
  );
}

if (import.meta.main) writeFileSync(SOCIAL_GUIDE_FILE, socialGuide());

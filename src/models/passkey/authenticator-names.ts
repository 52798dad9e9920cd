/** Names of authenticators by AAGUID (WebAuthn level 3, section 6.5.1), from the list beside this file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const AUTHENTICATOR_NAMES_FILE = join(import.meta.dirname, "authenticator-names.txt");

let names: ReadonlyMap<string, string> | undefined;

/**
 * The name of a model, undefined for an unknown model. Without attestation the client chooses the AAGUID: the name is a
 * label for the owner and decides nothing.
 */
export function authenticatorName(aaguid: string): string | undefined {
  names ??= parseAuthenticatorNames(readFileSync(AUTHENTICATOR_NAMES_FILE, "utf8"));
  return names.get(aaguid);
}

/** Lines of AAGUID, space and name; lines with `#` are the header. */
export function parseAuthenticatorNames(text: string): ReadonlyMap<string, string> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, AAGUID_CHARACTERS), line.slice(AAGUID_CHARACTERS + 1)]));
}

const AAGUID_CHARACTERS = 36;

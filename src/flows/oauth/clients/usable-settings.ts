/**
 * What is left out of the registration or the metadata document of an application that no administrator registered: a
 * member or an item that cannot be used never refuses the rest (RFC 7591, sections 2 and 3.2.1). Left out is only what
 * widens nothing: keys, methods, algorithms and the logout endpoint are refused as ever.
 */
import { NAME_FLAW, normalizeName } from "../../../base/display-name.ts";
import type { InputFlaw } from "../../../base/invalid-input.ts";
import { normalizeExactUri, normalizeUrl } from "../../../base/stored-url.ts";
import { NAME_MAX_CHARACTERS } from "../../../limits/account-limits.ts";
import { LEFT_OUT_MAX, LEFT_OUT_VALUE_MAX_CHARACTERS, OAUTH_URIS_MAX } from "../../../limits/oauth-limits.ts";
import { clientUriFlaw, redirectUriFlaw } from "../../../models/oauth-client/redirect-uri.ts";
import type { ClientSettings } from "./client-change.ts";

/** A value of a registration that the service does not use. */
export interface LeftOut {
  readonly member: string;
  /** As sent, cut at `LEFT_OUT_VALUE_MAX_CHARACTERS`. */
  readonly value: string;
  readonly reason: string;
}

/** Stored in place of a missing or unusable `client_name`. */
export const UNNAMED = "Application";

/** The settings without unusable items, and what was left out, at most `LEFT_OUT_MAX` entries. */
export function usableSettings<Settings extends ClientSettings>(
  given: Settings,
): { readonly settings: Settings; readonly leftOut: readonly LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const report = (member: string, value: string, { text }: Pick<InputFlaw, "text">) => {
    if (leftOut.length >= LEFT_OUT_MAX) return;
    leftOut.push({ member, value: value.slice(0, LEFT_OUT_VALUE_MAX_CHARACTERS).toWellFormed(), reason: text });
  };
  const list = (member: string, uris: readonly string[]) => {
    const exact = uris.map(normalizeExactUri);
    const usable = exact.filter((uri, index) => {
      const flaw = redirectUriFlaw(uri, given.applicationType);
      if (flaw) report(member, uris[index] ?? uri, flaw);
      return !flaw && exact.indexOf(uri) === index;
    });
    for (const uri of usable.slice(OAUTH_URIS_MAX)) report(member, uri, { text: `at most ${OAUTH_URIS_MAX}` });
    return usable.slice(0, OAUTH_URIS_MAX);
  };
  const page = (member: string, uri: string | null) => {
    const flaw = uri === null ? undefined : clientUriFlaw(normalizeUrl(uri));
    if (uri !== null && flaw) report(member, uri, flaw);
    return flaw ? null : uri;
  };
  const redirectUris = list("redirect_uris", given.redirectUris);
  const settings = {
    ...given,
    name: usableName(given.name, report),
    // Without a usable address the validation refuses the client, and names the flaw of the first address.
    redirectUris: redirectUris.length > 0 ? redirectUris : given.redirectUris,
    postLogoutRedirectUris: list("post_logout_redirect_uris", given.postLogoutRedirectUris),
    logoUrl: page("logo_uri", given.logoUrl),
    policyUri: page("policy_uri", given.policyUri),
    tosUri: page("tos_uri", given.tosUri),
    clientUri: page("client_uri", given.clientUri),
  };
  return { settings, leftOut };
}

/** The names of the members in a record. */
export function leftOutRecord(leftOut: readonly LeftOut[]): { readonly left_out?: string } {
  const members = new Set(leftOut.map(({ member }) => member));
  return members.size > 0 ? { left_out: [...members].join(" ") } : {};
}

/** A longer name is cut before the pattern. */
const PARSED_NAME_MAX_CHARACTERS = 8 * NAME_MAX_CHARACTERS;
/** Text in parentheses, as MCP clients add the address of the server to their name. */
const PARENTHESES = /\s*\([^()]*\)/g;

/** A name without links: the name, the name without parentheses, or the beginning of a long name. */
function usableName(name: string, report: (member: string, value: string, flaw: InputFlaw) => void): string {
  if (normalizeName(name) !== undefined) return name;
  report("client_name", name, NAME_FLAW);
  // The pattern takes the square of the length.
  const plain = name.slice(0, PARSED_NAME_MAX_CHARACTERS).replace(PARENTHESES, "");
  const candidates = [plain, [...plain].slice(0, NAME_MAX_CHARACTERS).join("")];
  return candidates.find((each) => normalizeName(each) !== undefined) ?? UNNAMED;
}

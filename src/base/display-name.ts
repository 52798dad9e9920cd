import { NAME_MAX_CHARACTERS } from "../limits/account-limits.ts";
import {
  EMAIL_NAME_MAX_CHARACTERS,
  UNPROVEN_NAME_MAX_CHARACTERS,
  UNPROVEN_NAME_MAX_WORDS,
} from "../limits/email-limits.ts";
import { OAUTH_SCOPE_DESCRIPTION_MAX_CHARACTERS } from "../limits/oauth-limits.ts";
import type { InputFlaw } from "./invalid-input.ts";
import { err, ok, type Result } from "./result.ts";

/** The rule for names in the words of error messages. */
export const NAME_RULE = `1 to ${NAME_MAX_CHARACTERS} characters, without links, line breaks and invisible characters`;

export const NAME_FLAW: InputFlaw = { rule: "format", text: NAME_RULE };

/**
 * Invisible characters and line separators: such characters forge log lines and mail headers, reverse the direction of
 * neighbouring text, or make a name look like another name. Control and format characters, unpaired surrogates, line
 * and paragraph separators, and all default-ignorable code points except joiners and variation selectors, checked
 * below.
 */
const INVISIBLE = /(?!\p{VS}|[\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800]/u;

/** Scripts whose orthography uses the zero-width joiners (RFC 5892, appendix A.1 and A.2). */
const JOINING_SCRIPTS = [
  ...["Arab", "Syrc", "Mong", "Nkoo", "Deva", "Beng", "Guru", "Gujr", "Orya"],
  ...["Taml", "Telu", "Knda", "Mlym", "Sinh", "Khmr", "Mymr", "Tibt"],
];
/** Characters next to which a joiner is valid: these scripts and the components of emoji. */
const JOINS = `[\\p{ExtPict}\\p{EMod}\\p{VS}${JOINING_SCRIPTS.map((script) => `\\p{scx=${script}}`).join("")}]`;
/** Characters after which a variation selector is valid: emoji, ideographs, letters of these scripts. */
const VARIES = "[\\p{Emoji}\\p{scx=Hani}\\p{scx=Mong}\\p{scx=Phag}\\p{scx=Mymr}]";
/** A joiner or variation selector anywhere else is an invisible character. */
const STRAY = new RegExp(`(?<!${JOINS})[\\u200C\\u200D]|[\\u200C\\u200D](?!${JOINS})|(?<!${VARIES})\\p{VS}`, "u");

/**
 * Text that mail clients turn into a link: `//` with or without a scheme, `\\` of a network share, `mailto:`, `www.`,
 * and a domain followed by a port, path, query or fragment. A domain alone is accepted, because companies use domains
 * as names (Booking.com, Node.js). The suffix `js` is no top-level domain, so "Node.js/Deno" is accepted as well.
 */
const LINKS = [
  /[/\\]{2}/u,
  /\bmailto:/iu,
  /(?<![\p{L}\p{N}])www\d{0,3}\.[\p{L}\p{N}]/iu,
  /[\p{L}\p{N}]\.(?!js\b)(?:\p{L}{2,}|xn--[a-z0-9-]+)\.?(?::\d|[/\\?#]\S)/iu,
];
/** The dot of UTS 46 and look-alikes of the slash that NFKC does not fold. */
const DOT = /\u3002/g;
const SLASH = /[\u2044\u2215\u29F8]/g;

/** Whether a name contains text that mail clients turn into a link. */
export function holdsLink(name: string): boolean {
  const folded = name.normalize("NFKC").replace(DOT, ".").replace(SLASH, "/");
  return LINKS.some((link) => link.test(folded));
}

/** A trimmed, NFC-normalised name (docs/contract.md, section 2.4); `undefined` if the name breaks `NAME_RULE`. */
export function normalizeName(text: string): string | undefined {
  const name = normalizeLine(text, NAME_MAX_CHARACTERS);
  return name === undefined || holdsLink(name) ? undefined : name;
}

/** The first character that no name may contain because readers do not see the character; undefined without one. */
export function invisibleIn(name: string): string | undefined {
  return (INVISIBLE.exec(name) ?? STRAY.exec(name))?.[0];
}

/** A trimmed, NFC-normalised line of visible text; `undefined` for an empty line and beyond `maxCharacters`. */
function normalizeLine(text: string, maxCharacters: number): string | undefined {
  const line = text.normalize("NFC").trim();
  const characters = [...line].length;
  if (characters < 1 || characters > maxCharacters) return undefined;
  return INVISIBLE.test(line) || STRAY.test(line) ? undefined : line;
}

const DESCRIPTION_MAX = OAUTH_SCOPE_DESCRIPTION_MAX_CHARACTERS;
const DESCRIPTION_RULE = `1 to ${DESCRIPTION_MAX} characters, without line breaks and invisible characters`;

/**
 * Validates the description of a scope, a line of the consent page; returns the trimmed, NFC-normalised text. A
 * bidirectional control character would reorder the neighbouring scopes.
 */
export function validateDescription(text: string): Result<string, InputFlaw> {
  const description = normalizeLine(text, DESCRIPTION_MAX);
  if (description !== undefined) return ok(description);
  const isTooLong = [...text.trim()].length > DESCRIPTION_MAX;
  return err({ rule: isTooLong ? "too_long" : "format", text: DESCRIPTION_RULE });
}

const EVERY_INVISIBLE = new RegExp(INVISIBLE.source, "gu");
const EVERY_STRAY = new RegExp(STRAY.source, "gu");

/**
 * Adapts a name from an external source or an older version: removes invisible characters and truncates the name.
 * `undefined` when the result is empty or contains a link.
 */
export function cleanName(text: string): string | undefined {
  const visible = text.replace(/\s+/gu, " ").replace(EVERY_INVISIBLE, "").normalize("NFC").trim();
  const short = [...visible].slice(0, NAME_MAX_CHARACTERS).join("");
  // Joiners last: the cut may have split an emoji sequence.
  return normalizeName(short.replace(EVERY_STRAY, ""));
}

/** A domain or an address, which mail clients turn into a link, or a telephone number. */
const CONTACTS = [
  /[\p{L}\p{N}]\.(?!js\b)(?:\p{L}{2,}|xn--[a-z0-9-]+)(?![\p{L}\p{N}])/iu,
  /@/u,
  /(?:\p{Nd}[\s().+/-]*){7}/u,
];

/**
 * The form of a name in an email: cleaned and at most `EMAIL_NAME_MAX_CHARACTERS` long; `undefined` if the name
 * contains a link or a way to contact someone (G92). Elsewhere the name is valid: companies are named after domains.
 */
export function emailName(text: string): string | undefined {
  const name = cleanName(text);
  const folded = name?.normalize("NFKC").replace(DOT, ".");
  if (name === undefined || CONTACTS.some((contact) => contact.test(folded ?? ""))) return undefined;
  const characters = [...name];
  if (characters.length <= EMAIL_NAME_MAX_CHARACTERS) return name;
  return `${characters.slice(0, EMAIL_NAME_MAX_CHARACTERS - 1).join("")}…`;
}

/**
 * The name in the greeting of an address without a controlling proof. The party that registered the address chose the
 * name: the bounds admit a name and are too short for an instruction.
 */
export function unprovenGreetingName(text: string): string | undefined {
  const name = emailName(text);
  const isShort = name !== undefined && [...name].length <= UNPROVEN_NAME_MAX_CHARACTERS;
  return isShort && name.split(/\s+/u).length <= UNPROVEN_NAME_MAX_WORDS ? name : undefined;
}

/** Rewrites text that mail clients turn into a link, so that no link results. */
function defang(text: string): string {
  const host = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).host : text;
  const separated = host.replace(SLASH, "/").replace(/[/\\]+/g, " ");
  return separated.replace(/(?<=\S)[.\u3002\uFF0E\u2024\uFE52\uFF61](?=\S)/gu, "[.]").replaceAll("@", " [at] ");
}

/**
 * The name of an item, or an address, that an attacker may have chosen, in an email that must identify the item: as
 * `emailName`, with domains and addresses rewritten so that no link results. A URL is reduced to the host; "–" if
 * nothing can be displayed.
 */
export function inertName(text: string): string {
  const isAddress = /^https?:/i.test(text) || /^[^\s@]+@[^\s@]+$/.test(text);
  return (isAddress ? cleanName(defang(text)) : (emailName(text) ?? emailName(defang(text)))) ?? "–";
}

/** The form in which names are unique and compared: NFKC, lower case, without invisible characters. */
export function nameKey(name: string): string {
  const visible = name.normalize("NFKC").replace(EVERY_INVISIBLE, "").replace(EVERY_STRAY, "");
  return visible.trim().toLowerCase();
}

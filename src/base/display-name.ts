import { NAME_MAX_CHARACTERS } from "./limits.ts";

/** What a name must be, as messages say it. */
export const NAME_RULE = `1 to ${NAME_MAX_CHARACTERS} characters, without links, line breaks and invisible characters`;

/**
 * Characters that nobody sees or that end a line: they forge log lines and mail headers, turn the direction of the text
 * around them, or make one name look like another. Control and format characters, unpaired surrogates, separators of
 * lines and paragraphs, and whatever else Unicode says to leave out when it cannot be shown; but for the two kinds that
 * have their places, below.
 */
const INVISIBLE = /(?!\p{VS}|[\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/u;

/** Scripts in whose orthography the zero-width joiners have a meaning (RFC 5892, appendix A.1 and A.2). */
const JOINING_SCRIPTS = [
  ...["Arab", "Syrc", "Mong", "Nkoo", "Deva", "Beng", "Guru", "Gujr", "Orya"],
  ...["Taml", "Telu", "Knda", "Mlym", "Sinh", "Khmr", "Mymr", "Tibt"],
];
/** Those, and what emoji are made of. */
const JOINS = `[\\p{ExtPict}\\p{EMod}\\p{VS}${JOINING_SCRIPTS.map((script) => `\\p{scx=${script}}`).join("")}]`;
/** Variation selectors choose the shape of an emoji, an ideograph, or a letter of these scripts. */
const VARIES = "[\\p{Emoji}\\p{scx=Hani}\\p{scx=Mong}\\p{scx=Phag}\\p{scx=Mymr}]";
/** Anywhere else either is a zero-width space by another name. */
const STRAY = new RegExp(`(?<!${JOINS})[\\u200C\\u200D]|[\\u200C\\u200D](?!${JOINS})|(?<!${VARIES})\\p{VS}`, "u");

/**
 * What mail clients turn into a link, or people into an address: `//` with or without a scheme, `\\` of a network
 * share, `mailto:`, `www.`, and a domain that a port, path, query or fragment follows. A domain alone passes, since
 * companies are called by theirs (Booking.com, Node.js): telling those from a bait is beyond a rule, and a domain
 * without a path can carry little but its own name. The suffix `js` is no top-level domain, so "Node.js/Deno" passes as
 * well.
 */
const LINKS = [
  /[/\\]{2}/u,
  /\bmailto:/iu,
  /(?<![\p{L}\p{N}])www\d{0,3}\.[\p{L}\p{N}]/iu,
  /[\p{L}\p{N}]\.(?!js\b)(?:\p{L}{2,}|xn--[a-z0-9-]+)\.?(?::\d|[/\\?#]\S)/iu,
];
/** What browsers read as a dot (UTS 46) and people as a slash, beyond what NFKC folds. */
const DOT = /\u3002/g;
const SLASH = /[\u2044\u2215\u29F8]/g;

function holdsLink(name: string): boolean {
  const folded = name.normalize("NFKC").replace(DOT, ".").replace(SLASH, "/");
  return LINKS.some((link) => link.test(folded));
}

/**
 * A name for people to read, 1 to 120 characters after trimming (docs/contract.md); `undefined` when it is none: see
 * `NAME_RULE`.
 */
export function normalizeName(text: string): string | undefined {
  const name = text.normalize("NFC").trim();
  const characters = [...name].length;
  if (characters < 1 || characters > NAME_MAX_CHARACTERS) return undefined;
  return INVISIBLE.test(name) || STRAY.test(name) || holdsLink(name) ? undefined : name;
}

const EVERY_INVISIBLE = new RegExp(INVISIBLE.source, "gu");
const EVERY_STRAY = new RegExp(STRAY.source, "gu");

/**
 * A name that somebody else made up or that an older version stored, as far as it can be kept: without invisible
 * characters, cut to length. `undefined` when nothing is left, or when it holds a link.
 */
export function cleanName(text: string): string | undefined {
  const visible = text.replace(/\s+/gu, " ").replace(EVERY_INVISIBLE, "").normalize("NFC").trim();
  const short = [...visible].slice(0, NAME_MAX_CHARACTERS).join("");
  // Last, since the cut may go through an emoji.
  return normalizeName(short.replace(EVERY_STRAY, ""));
}

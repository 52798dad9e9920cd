/** Text of other parties that the service only stores: cleaned, never refused. */

/**
 * White space: with a line break or a tab a sequence becomes one space. A single class takes a time proportional to the
 * length of every text.
 */
const SPACES = /[ \t\n\v\f\r\u0085\p{Zl}\p{Zp}]+/gu;
const LINE_ENDS = /\r\n?|[\v\f\u0085\p{Zl}\p{Zp}]/gu;
/** Control and direction characters, which forge log lines and reorder the neighbouring text; the line feed stays. */
const CONTROLS = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const UNPAIRED_SURROGATES = /\p{Cs}/gu;
/** Invisible characters that copies from pages and documents carry: the byte order mark and zero-width spaces. */
const COPIED = /[\u00ad\u200b\u2060\ufeff]/g;

/** Text without control and direction characters, trimmed. `lines`: line breaks stay; otherwise each is a space. */
export function cleanText(text: string, lines: "kept" | "joined" = "joined"): string {
  const inLines =
    lines === "kept"
      ? text.replace(LINE_ENDS, "\n").replaceAll("\t", " ")
      : text.replace(SPACES, (run) => (/[^ ]/.test(run) ? " " : run));
  return inLines.replace(CONTROLS, "").replace(UNPAIRED_SURROGATES, "").trim();
}

/** An identifier as typed or pasted, such as an entity id or the name of a claim: trimmed, without invisible copies. */
export function trimmedIdentifier(text: string): string {
  return text.replace(COPIED, "").trim();
}

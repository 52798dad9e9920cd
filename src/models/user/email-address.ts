import { createHmac } from "node:crypto";
import { addressSpellings, asciiDomain } from "../../base/ascii-domain.ts";
import { INVISIBLE_IN_EMAIL, invisibleInEmail, trimCopied } from "../../base/email-text.ts";
import { type InputFlaw, invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { EMAIL_MAX_CHARACTERS } from "../../limits/account-limits.ts";

/** The flaw of a text that `normalizeEmail` refuses, with the name of an invisible character. */
export function emailFlaw(text: string): InputFlaw {
  const point = invisibleInEmail(text);
  return { rule: "format", text: point ? `contains an invisible character (${point})` : "not an email address" };
}

export function malformedEmail(field: string, text: string): Refusal<"invalid_input"> {
  const flaw = emailFlaw(text);
  return invalidInput(field, flaw.rule, flaw.text);
}

/**
 * Characters that NFKC turns into `@`: an address with one could be mistaken for another
 * (docs/contract.md, section 2.4).
 */
const AT_LOOKALIKES = /[\uFE6B\uFF20]/u;
/** Spaces, and what a reader does not see: mail servers do not accept most, and each address looks like another. */
const UNPRINTABLE = new RegExp(`${INVISIBLE_IN_EMAIL.source}| `, "u");
/** One `@`; no character with a meaning in mail headers (RFC 5322, section 3.2.3 specials). */
const SHAPE = /^[^@"(),:;<>[\]\\]{1,64}@[^@"(),:;<>[\]\\]+$/u;
const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\p{M}-]*[\\p{L}\\p{N}\\p{M}])?";
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, "u");
const ASCII = /^[\x20-\x7e]*$/;
/** The bounds of a domain and of each label (RFC 1035, section 2.3.4). */
const BOUNDED_DOMAIN = /^(?=.{1,253}$)[^.]{1,63}(?:\.[^.]{1,63})*$/;

const PLAIN_LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
/** A usual address in normalised form: the further rules neither change nor refuse the address. */
const PLAIN = new RegExp(
  `^(?=.{1,64}@.{1,253}$)[a-z0-9_+-]+(?:\\.[a-z0-9_+-]+)*@${PLAIN_LABEL}(?:\\.${PLAIN_LABEL})*$`,
);

/**
 * The form in which an address is stored, compared and counted (docs/contract.md, section 2.4), with an
 * internationalized domain as A-labels (RFC 5890); undefined for no address.
 */
export function normalizeEmail(text: string): string | undefined {
  if (text.length <= EMAIL_MAX_CHARACTERS && PLAIN.test(text)) return text;
  const trimmed = trimCopied(text);
  if (trimmed.length > EMAIL_MAX_CHARACTERS || AT_LOOKALIKES.test(trimmed) || UNPRINTABLE.test(trimmed))
    return undefined;
  const address = trimmed.normalize("NFKC").toLowerCase();
  if (address.length > EMAIL_MAX_CHARACTERS || UNPRINTABLE.test(address) || !SHAPE.test(address)) return undefined;
  const [local = "", domain = ""] = address.split("@");
  // Mobile carriers of Japan gave out addresses with dots in a row or before the `@`, which browsers accept too.
  if (local.startsWith(".")) return undefined;
  const ascii = DOMAIN.test(domain) ? domainLabels(domain) : undefined;
  const stored = `${local}@${ascii}`;
  return ascii !== undefined && stored.length <= EMAIL_MAX_CHARACTERS ? stored : undefined;
}

function domainLabels(domain: string): string | undefined {
  const ascii = ASCII.test(domain) ? domain : asciiDomain(domain);
  return ascii !== undefined && BOUNDED_DOMAIN.test(ascii) ? ascii : undefined;
}

/** The stored form of `SERVICE_INITIAL_OWNER_EMAIL`; undefined without the setting. */
export function initialOwnerAddress(settings: { readonly initialOwnerEmail: string | undefined }): string | undefined {
  return settings.initialOwnerEmail === undefined ? undefined : normalizeEmail(settings.initialOwnerEmail);
}

/**
 * The stored form of an address that another party asserts: an identity provider, a directory or a social provider.
 * Undefined for an address in which normalisation changes more than the case of ASCII letters and the encoding of the
 * domain: at the asserting party, such an address may be the mailbox of another person (docs/contract.md, section 2.4).
 */
export function normalizeAssertedEmail(text: string): string | undefined {
  const email = normalizeEmail(text);
  if (email === undefined) return undefined;
  const asserted = text.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return addressSpellings(email).includes(asserted) ? email : undefined;
}

/** Characters of base64url, six bits each: enough that two addresses do not share a count. */
const HASH_CHARACTERS = 22;

/**
 * A normalised address in the form of Redis keys: HMAC-SHA-256 under a key from the root secret, since a reader of
 * Redis could find the address of a hash without a key by trying many.
 */
export function hashAddress(key: Buffer, email: string): string {
  return createHmac("sha256", key).update(email).digest("base64url").slice(0, HASH_CHARACTERS);
}

/**
 * The account whose password is guessed, in the form of Redis keys. `clearedAt`: guesses from before count no longer
 * (`users.guesses_cleared_at`); null for an unknown address too.
 */
export function hashGuessedAccount(key: Buffer, email: string, clearedAt: Date | null): string {
  return hashAddress(key, clearedAt === null ? email : `${email} ${clearedAt.getTime()}`);
}

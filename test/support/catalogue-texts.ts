/** Walks a catalogue of texts beside its English messages, and completes texts with values that a test recognizes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Messages, MessageValues } from "../../src/base/message-catalogue.ts";
import { argumentsOf, type MessageArgument } from "../../tools/message-arguments.ts";

/** The folders with the files of messages. */
export const MESSAGE_FOLDERS = {
  pages: join(import.meta.dir, "../../src/pages/texts"),
  emails: join(import.meta.dir, "../../src/providers/mail/texts"),
};
export type MessageSurface = keyof typeof MESSAGE_FOLDERS;

/** The messages of a file. */
export function messagesIn(surface: MessageSurface, language: string): Messages {
  return JSON.parse(readFileSync(join(MESSAGE_FOLDERS[surface], `${language}.json`), "utf8"));
}

/** The messages with their paths, such as `signIn.title`; an item of a list has its index. */
export function messagesByPath(messages: Messages[string], path: readonly string[] = []): [string, string][] {
  if (typeof messages === "string") return [[path.join("."), messages]];
  return Object.entries(messages).flatMap(([key, inner]) => messagesByPath(inner, [...path, key]));
}

export interface CatalogueText {
  readonly text: string | ((values: MessageValues) => string);
  readonly args: ReadonlyMap<string, MessageArgument>;
}

/** The text of each English message by its path. */
export function textsOf(
  texts: unknown,
  english: Messages[string],
  path: readonly string[] = [],
): [string, CatalogueText][] {
  if (typeof english === "string") {
    return [[path.join("."), { text: texts as CatalogueText["text"], args: argumentsOf(english) }]];
  }
  return Object.entries(english).flatMap(([key, inner]) =>
    textsOf((texts as Record<string, unknown>)[key], inner, [...path, key]),
  );
}

/** A number with several digits in every language. */
const COUNT = 1_234_567;

interface Values {
  readonly count?: number;
}

/** The text with `⟦name⟧` for an argument, or with the count where the text depends on a number. */
export function textWith({ text, args }: CatalogueText, { count = COUNT }: Values = {}): string {
  if (typeof text === "string") return text;
  return text(Object.fromEntries([...args].map(([name, { isNumber }]) => [name, isNumber ? count : `⟦${name}⟧`])));
}

/** Texts of emails as parts of Mustache templates, in which an operator's templates and built-in texts meet. */
import {
  isArgumentElement,
  isLiteralElement,
  isSelectElement,
  type MessageFormatElement,
  parse,
} from "@formatjs/icu-messageformat-parser";
import { MESSAGE_SYNTAX } from "../../../base/message-catalogue.ts";

const COUNTED = /,\s*plural\s*,/;

/** Whether a text depends on a number. */
export function isCounted(message: string): boolean {
  return COUNTED.test(message);
}

/**
 * The Mustache template of a message: `{brand}` becomes `{{brand}}`, and a choice between the presence and the absence
 * of a value, `{name, select, none {} other { {name}}}`, becomes the sections `{{#name}} {{name}}{{/name}}`.
 */
export function templateOf(message: string): string {
  return message.includes("{") ? written(parse(message, MESSAGE_SYNTAX)) : message;
}

function written(elements: readonly MessageFormatElement[]): string {
  return elements.map(tagOf).join("");
}

function tagOf(element: MessageFormatElement): string {
  if (isLiteralElement(element)) return element.value;
  if (isArgumentElement(element)) return `{{${element.value}}}`;
  if (!isSelectElement(element)) throw new Error("an email has arguments, choices and texts");
  const { value: name, options } = element;
  return section("#", name, options.other?.value) + section("^", name, options.none?.value);
}

/** The section of Mustache for a present (`#`) or absent (`^`) value. */
function section(kind: "#" | "^", name: string, elements: readonly MessageFormatElement[] = []): string {
  return elements.length === 0 ? "" : `{{${kind}${name}}}${written(elements)}{{/${name}}}`;
}

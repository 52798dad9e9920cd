/** The arguments of messages in ICU MessageFormat, for the generated types and for the checks of translations. */
import {
  isDateElement,
  isLiteralElement,
  isNumberElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  isTagElement,
  isTimeElement,
  type MessageFormatElement,
  parse,
} from "@formatjs/icu-messageformat-parser";
import { MESSAGE_SYNTAX } from "../src/base/message-catalogue.ts";

export interface MessageArgument {
  /** The message has a form for each category of numbers, or the number in the format of the language. */
  readonly isNumber: boolean;
  /** The categories of each plural in the message. */
  readonly plurals: readonly (readonly string[])[];
}

/** The arguments by name, in the order of the message. Throws the error of the parser for a wrong syntax. */
export function argumentsOf(message: string): ReadonlyMap<string, MessageArgument> {
  const found = new Map<string, MessageArgument>();
  collect(parse(message, MESSAGE_SYNTAX), found);
  return found;
}

function collect(elements: readonly MessageFormatElement[], found: Map<string, MessageArgument>): void {
  for (const element of elements) {
    if (isLiteralElement(element) || isPoundElement(element)) continue;
    if (isTagElement(element) || isDateElement(element) || isTimeElement(element)) {
      throw new Error(`texts receive times as words: ${element.value}`);
    }
    const { isNumber = false, plurals = [] } = found.get(element.value) ?? {};
    const options = isPluralElement(element) || isSelectElement(element) ? element.options : {};
    found.set(element.value, {
      isNumber: isNumber || isPluralElement(element) || isNumberElement(element),
      plurals: isPluralElement(element) ? [...plurals, Object.keys(options)] : plurals,
    });
    for (const { value } of Object.values(options)) collect(value, found);
  }
}

/** Reads elements and attributes of a copied document. */
import type { XmlElement } from "./xml-document.ts";

export function childrenOf(element: XmlElement, namespace: string, name: string): XmlElement[] {
  return element.children.filter((child) => child.namespace === namespace && child.name === name);
}

/** The first child with a name. */
export function childOf(element: XmlElement | undefined, namespace: string, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.namespace === namespace && child.name === name);
}

/** The value of an attribute without a namespace. */
export function attributeOf(element: XmlElement | undefined, name: string): string | undefined {
  return element?.attributes.find((attribute) => attribute.namespace === "" && attribute.name === name)?.value;
}

/** The element and all descendants, in document order. Without recursion: the depth costs no time. */
export function descendants(element: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  const waiting = [element];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next);
    for (const child of next.children.toReversed()) waiting.push(child);
  }
  return found;
}

/** White space of XML 1.0, section 2.3. */
const SPACE = " \t\r\n";

/** The text of an element without the white space around, which indentation adds. Without a pattern: linear time. */
export function trimmedText(element: XmlElement | undefined): string | undefined {
  if (element === undefined) return undefined;
  const { text } = element;
  let [start, end] = [0, text.length];
  while (start < end && SPACE.includes(text.charAt(start))) start += 1;
  while (end > start && SPACE.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

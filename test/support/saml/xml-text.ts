/** Changes of XML as text: a forger is not bound by what a library would write. */

const outer = (name: string) => new RegExp(`<((?:[\\w-]+:)?${name})(?=[\\s>/])[\\s\\S]*?</\\1>`);

/** The first element with a local name, as text. Throws without the element. */
export function elementText(xml: string, name: string): string {
  const found = outer(name).exec(xml)?.[0];
  if (found === undefined) throw new Error(`no ${name} in the message`);
  return found;
}

/** Replaces text that must be present. */
export function change(xml: string, from: string | RegExp, to: string): string {
  const changed = xml.replace(from, () => to);
  if (changed === xml) throw new Error(`no ${from} in the message`);
  return changed;
}

/** Inserts text behind the start tag of the first element with a local name. */
export function insertFirst(xml: string, name: string, text: string): string {
  const start = new RegExp(`<(?:[\\w-]+:)?${name}(?=[\\s>])[^>]*>`).exec(xml)?.[0];
  if (start === undefined) throw new Error(`no ${name} in the message`);
  return xml.replace(start, () => `${start}${text}`);
}

/** Inserts text before the last end tag of elements with a local name. */
export function insertLast(xml: string, name: string, text: string): string {
  const end = [...xml.matchAll(new RegExp(`</(?:[\\w-]+:)?${name}>`, "g"))].at(-1);
  if (end?.index === undefined) throw new Error(`no ${name} in the message`);
  return `${xml.slice(0, end.index)}${text}${xml.slice(end.index)}`;
}

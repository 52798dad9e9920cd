/** Walks a catalogue of texts, and writes its functions with values that a test recognizes. */

export type CatalogueText = string | ((...values: never[]) => string);

/** The texts with their paths, such as `signIn.title`; an item of a list has its index. */
export function textsOf(catalogue: unknown, path: readonly string[] = []): [string, CatalogueText][] {
  if (typeof catalogue === "string" || typeof catalogue === "function") {
    return [[path.join("."), catalogue as CatalogueText]];
  }
  return Object.entries(catalogue as object).flatMap(([key, inner]) => textsOf(inner, [...path, key]));
}

/** A number with several digits in every language. */
const COUNT = 1_234_567;

interface Values {
  readonly count?: number;
}

/** The text; a function writes `⟦0⟧` for its first parameter, or the count where the text depends on a number. */
export function textWith(text: CatalogueText, { count = COUNT }: Values = {}): string {
  if (typeof text === "string") return text;
  const values = Array.from({ length: text.length }, (_, index) => ({
    [Symbol.toPrimitive]: (hint: string) => (hint === "number" ? count : `⟦${index}⟧`),
  }));
  return text(...(values as never[]));
}

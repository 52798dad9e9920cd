/** The fields of a form, or of a query: a missing field is the empty text. */
export interface Fields {
  text(name: string): string;
  has(name: string): boolean;
}

export function fieldsOf(values: Pick<URLSearchParams, "get" | "has">): Fields {
  return { text: (name) => values.get(name) ?? "", has: (name) => values.has(name) };
}

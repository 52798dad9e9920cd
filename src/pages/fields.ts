/** The fields of a form, or of a query: a missing field is the empty text. */
export interface Fields {
  text(name: string): string;
  has(name: string): boolean;
}

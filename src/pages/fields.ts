/** The fields of a form, or of a query: a missing field is the empty text. */
export interface Fields {
  text(name: string): string;
  has(name: string): boolean;
  /** The values of a group of checkboxes; empty without a value. */
  all(name: string): readonly string[];
}

/** Whether a form accepts the channels that the page before has named (docs/contract.md, section 32.9). */
export function confirmsChannels(form: Fields): boolean {
  return form.text(CONFIRM_CHANNELS_FIELD) === "true";
}

export const CONFIRM_CHANNELS_FIELD = "confirm_channels";

export function fieldsOf(values: Pick<URLSearchParams, "get" | "getAll" | "has">): Fields {
  return {
    text: (name) => values.get(name) ?? "",
    has: (name) => values.has(name),
    all: (name) => values.getAll(name),
  };
}

/**
 * A form with large values, which stay encoded: the decoding of 256 KiB takes the thread of the requests a millisecond,
 * so a worker decodes the value that the worker reads.
 */
import { FORM_FIELDS_MAX, FORM_NAME_MAX_BYTES, FORM_TEXT_MAX_BYTES } from "../../limits/body-limits.ts";
import { decodeFormText, readFormBytes } from "./form-body.ts";

/** The first of several fields with one name counts. */
export interface LargeForm {
  /** The decoded value; undefined also for a value above `FORM_TEXT_MAX_BYTES`. */
  text(name: string): string | undefined;
  /** The value in `application/x-www-form-urlencoded`, as received. */
  encoded(name: string): Uint8Array | undefined;
}

const [AMPERSAND, EQUALS] = [0x26, 0x3d];

export const EMPTY_FORM: LargeForm = { text: () => undefined, encoded: () => undefined };

/** A malformed form counts as empty. */
export async function readLargeForm(request: Request, maxBytes: number | undefined): Promise<LargeForm> {
  const bytes = await readFormBytes(request, maxBytes);
  return (bytes.ok && parseLargeForm(bytes.value)) || EMPTY_FORM;
}

/** Undefined: the form has more than `FORM_FIELDS_MAX` fields. */
export function parseLargeForm(body: Uint8Array): LargeForm | undefined {
  const values = new Map<string, Uint8Array>();
  let rest = body;
  for (let count = 1; ; count += 1) {
    if (count > FORM_FIELDS_MAX) return undefined;
    const end = rest.indexOf(AMPERSAND);
    addField(values, end < 0 ? rest : rest.subarray(0, end));
    if (end < 0) return formOf(values);
    rest = rest.subarray(end + 1);
  }
}

function addField(values: Map<string, Uint8Array>, field: Uint8Array): void {
  const at = field.indexOf(EQUALS);
  const length = at < 0 ? field.length : at;
  if (length > FORM_NAME_MAX_BYTES) return;
  const name = decodeFormText(field.subarray(0, length));
  if (!values.has(name)) values.set(name, field.subarray(length + 1));
}

function formOf(values: ReadonlyMap<string, Uint8Array>): LargeForm {
  return {
    text(name) {
      const value = values.get(name);
      return value && value.length <= FORM_TEXT_MAX_BYTES ? decodeFormText(value) : undefined;
    },
    encoded: (name) => values.get(name),
  };
}

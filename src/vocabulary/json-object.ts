/** A JSON object: no list, no null, no scalar. */
export type JsonMembers = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonMembers {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object of a JSON text; undefined: no JSON, or JSON of another kind. */
export function parseJsonObject(text: string): JsonMembers | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

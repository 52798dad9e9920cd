type Value = string | number | boolean | null;

/**
 * Values of a template. Mustache omits the section of an absent, false or empty value, and repeats the section of a
 * list.
 */
export type Values = Readonly<Record<string, Value | readonly Readonly<Record<string, Value>>[]>>;

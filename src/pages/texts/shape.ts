/** The texts of English define the shape of every language: the same keys, and functions of the same values. */
export type Shape<T> = {
  readonly [Key in keyof T]: T[Key] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : T[Key] extends string
      ? string
      : Shape<T[Key]>;
};

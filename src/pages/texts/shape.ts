/** The texts of English define the shape of every language: equal keys, and functions of equal parameters. */
export type Shape<T> = {
  readonly [Key in keyof T]: T[Key] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : T[Key] extends string
      ? string
      : Shape<T[Key]>;
};

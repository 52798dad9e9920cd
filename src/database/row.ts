/**
 * The row of a table of `db/schema`, read-only. A model that picks its row type from here does not compile after a
 * column was removed or renamed.
 */
export type RowOf<Table extends { readonly $inferSelect: object }> = {
  readonly [Column in keyof Table["$inferSelect"]]: ReadonlyItems<Table["$inferSelect"][Column]>;
};

type ReadonlyItems<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

/** The members of a caller without the mark, which exists in the type alone. */
type Unmarked<Caller> = { readonly [Key in keyof Caller as Key extends symbol ? never : Key]: Caller[Key] };

/** Marks a caller after the check of the permission: no flow receives a caller of the type without the check. */
export function authorized<Caller>(caller: Unmarked<Caller>): Caller {
  return caller as Caller;
}

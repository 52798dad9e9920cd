/** The names of users that applications read (docs/contract.md, section 23.9). */

interface NamedUser {
  readonly displayName: string | null;
  readonly email: string;
  readonly emailVerified: boolean;
}

/**
 * `name`: the display name, else the local part of the primary address. `login`: the primary address once verified,
 * because an unverified address may be of another person. Both may come from the address, so without the scope `email`
 * (`hasEmail`) neither contains a part of the address.
 */
export function userNames(
  { displayName, email, emailVerified }: NamedUser,
  hasEmail: boolean,
): { readonly name: string | undefined; readonly login: string | undefined } {
  if (!hasEmail) return { name: displayName || undefined, login: undefined };
  return { name: displayName || email.slice(0, email.lastIndexOf("@")), login: emailVerified ? email : undefined };
}

import type { Claims } from "../id-token.ts";

export interface Particulars {
  /** Further parameters of the authorization request, which no setting can name. */
  readonly authorizationParameters?: Readonly<Record<string, string>>;
  /** The userinfo endpoint expects POST. */
  readonly userinfoByPost?: boolean;
  readonly userinfoHeaders?: Readonly<Record<string, string>>;
  /** The provider signs ID tokens with the client secret (HS256). */
  readonly signsBySecret?: boolean;
  /** Converts the claims to a form for JSON pointers. `read`: reads a resource below the userinfo endpoint. */
  readonly convert?: (claims: Claims, read: (path: string) => Promise<Claims>) => Claims | Promise<Claims>;
}

/** A member that is an object; else an object without members. */
export function objectIn(claims: Claims, name: string): Claims {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Claims) : {};
}

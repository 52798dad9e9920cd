import type { SamlKey } from "../support/saml/keys.ts";
import type { Visitor } from "./visitor.ts";

/** A product with one employee, as an administrator of the product has set the product up. */
export interface SamlProduct {
  readonly name: string;
  readonly metadataUrl: string;
  /** The address of the employee at the product. */
  readonly email: string;
  /** The settings of the connection that the guide names. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The address at which the employee signs out of the product. */
  readonly logoutUrl: string;
  /** Imports the metadata of the service, in place of earlier metadata. Later assertions are encrypted, or not. */
  importService(metadata: string, isEncrypted: boolean): Promise<void>;
  /** Lets time pass for the sessions at the product, so that a step-up asks the employee again. */
  age(): void;
  /** Whether the visitor sees the form of the sign-in. */
  isAsking(visitor: Visitor): Promise<boolean>;
  /** Fills in the form of the sign-in. */
  signIn(visitor: Visitor): Promise<void>;
  /** Signs the employee out at the product. */
  signOut(visitor: Visitor): Promise<void>;
  /** Signs by the first key, and publishes all keys. */
  useKeys(keys: readonly SamlKey[]): Promise<void>;
}

import type { SamlKey } from "../support/saml/keys.ts";
import type { Visitor } from "./visitor.ts";

/** A product with one employee, as an administrator of the product has set the product up. */
export interface Product {
  readonly name: string;
  /** The address of the employee at the product. */
  readonly email: string;
  /** The settings of the connection that the guide names. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Lets time pass for the sessions at the product, so that a step-up asks the employee again. */
  age(): void;
  /** Whether the visitor sees the form of the sign-in. */
  isAsking(visitor: Visitor): Promise<boolean>;
  /** Fills in the form of the sign-in. */
  signIn(visitor: Visitor): Promise<void>;
  /** Signs the employee out at the product. */
  signOut(visitor: Visitor): Promise<void>;
}

export interface SamlProduct extends Product {
  readonly metadataUrl: string;
  /** The address at which the employee signs out of the product. */
  readonly logoutUrl: string;
  /** Imports the metadata of the service, in place of earlier metadata. Later assertions are encrypted, or not. */
  importService(metadata: string, isEncrypted: boolean): Promise<void>;
  /** Signs by the first key, and publishes all keys. */
  useKeys(keys: readonly SamlKey[]): Promise<void>;
}

/** The addresses of the service that an administrator registers at a product. */
export interface ServiceAddresses {
  readonly redirectUri: string;
  readonly backchannelLogoutUri: string;
}

export interface OpenidProduct extends Product {
  readonly issuer: string;
  /** The value of `acr` or `amr` of a sign-in by password, to try a step-up; undefined: the product has no step-up. */
  readonly passwordValue: string | undefined;
  /** Whether the product sends logout tokens. */
  readonly sendsLogoutTokens: boolean;
  /** Registers the service, and returns its credentials. */
  register(service: ServiceAddresses): Promise<{ readonly client_id: string; readonly client_secret: string }>;
}

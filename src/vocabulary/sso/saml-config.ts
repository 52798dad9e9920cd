/** The settings of a connection by SAML 2.0 (docs/contract.md, section 29.32). */
import type { IdentityMapping } from "./identity-mapping.ts";

export const REQUEST_BINDINGS = ["redirect", "post"] as const;
export const SIGNED_ELEMENTS = ["assertion", "either"] as const;
export const ENCRYPTION_MODES = ["off", "required"] as const;

/** As stored and as on the wire. */
export interface SamlConfig extends IdentityMapping {
  /** The entity id of the identity provider; null in a draft. */
  readonly entity_id: string | null;
  /** The single sign-on service; null in a draft. */
  readonly sso_url: string | null;
  /** The single logout service; null: the identity provider has none. */
  readonly slo_url: string | null;
  /** In PEM form; empty in a draft. A signature by any of the certificates counts. */
  readonly certificates: readonly string[];
  readonly request_binding: (typeof REQUEST_BINDINGS)[number];
  /** The metadata of the identity provider; null: the settings were entered. */
  readonly metadata_url: string | null;
  readonly signed_element: (typeof SIGNED_ELEMENTS)[number];
  readonly sign_requests: boolean;
  /** The requested format of the NameID; null: a request names no format. */
  readonly name_id_format: string | null;
  readonly encrypted_assertions: (typeof ENCRYPTION_MODES)[number];
  /** Whether an expired certificate no longer counts. Trust is the pinned key otherwise. */
  readonly enforce_certificate_expiry: boolean;
}

/** The settings of a connection that can send a request to the identity provider and verify the response. */
export type CompleteSamlConfig = SamlConfig & { readonly entity_id: string; readonly sso_url: string };

export const DEFAULT_SAML_CONFIG: SamlConfig = {
  entity_id: null,
  sso_url: null,
  slo_url: null,
  certificates: [],
  request_binding: "redirect",
  metadata_url: null,
  signed_element: "assertion",
  sign_requests: true,
  name_id_format: null,
  encrypted_assertions: "off",
  enforce_certificate_expiry: false,
  subject_from: null,
  email_from: null,
  first_name_from: null,
  last_name_from: null,
  display_name_from: null,
  groups_from: null,
  attributes: [],
  mfa_trust: "never",
  clock_skew_seconds: 60,
  idp_initiated: "off",
};

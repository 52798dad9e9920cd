/** The longest token of each kind in characters, for issue and for reading (docs/contract.md, section 23.26). */
export const TOKEN_CHARACTERS_MAX = {
  access: 4_096,
  refresh: 4_096,
  mfa: 4_096,
  oauth_access: 4_096,
  /** Also as `id_token_hint`. Room for a name, a nonce and metadata beside the protocol claims. */
  id: 6_144,
} as const;

/** Bounds of social providers by configuration (docs/contract.md, sections 15.5 and 16.8). */

export const SOCIAL_PROVIDERS_MAX = 50;
export const SOCIAL_NAME_MAX_CHARACTERS = 60;
export const SOCIAL_SCOPES_MAX = 20;
export const SOCIAL_SCOPE_MAX_CHARACTERS = 255;
export const SOCIAL_PARAMETERS_MAX = 10;
export const SOCIAL_PARAMETER_NAME_MAX_CHARACTERS = 64;
export const SOCIAL_PARAMETER_MAX_CHARACTERS = 255;
export const SOCIAL_POINTER_LEVELS_MAX = 5;
export const SOCIAL_POINTER_MAX_CHARACTERS = 255;
export const SOCIAL_EMAIL_DOMAINS_MAX = 50;
export const SOCIAL_SUBJECT_MAX_CHARACTERS = 255;
/** Nesting of a response of a provider; a deeper response is not read. */
export const SOCIAL_JSON_LEVELS_MAX = 32;
/** Sign-ins of a provider with a call in progress on a replica; further sign-ins end at once. */
export const SOCIAL_CALLS_MAX = 16;
/** Identities that one transaction unlinks after a change of a provider. */
export const SOCIAL_UNLINKED_AT_ONCE = 100;

export const CLIENTS = "/admin/oauth-clients";
export const BLOCKED_HOSTS = "/admin/blocked-hosts";
export const REGISTRATION_TOKENS = "/admin/registration-tokens";

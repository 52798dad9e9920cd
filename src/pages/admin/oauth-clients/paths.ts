export const CLIENTS = "/admin/oauth-clients";
export const PRODUCTS = "/admin/oauth-clients/products";
export const BLOCKED_HOSTS = "/admin/blocked-hosts";
export const REGISTRATION_TOKENS = "/admin/registration-tokens";

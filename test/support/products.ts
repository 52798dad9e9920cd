/**
 * Products with a preset: the requests that each product sends by its documented configuration, and the claims that the
 * product reads, by name and type. Sources: the documentation and source of the products (the member `guide` of the
 * preset).
 */

/** How a product authenticates at the token endpoint. */
export type ProductAuthentication = "basic" | "post" | "none";

export interface Product {
  /** Inputs of the preset beside `organization_id`. */
  readonly inputs?: Record<string, string>;
  readonly redirectUri: string;
  /** Parameters of the authorization request beside `response_type`, `client_id` and `redirect_uri`. */
  readonly asks: Readonly<Record<string, string>>;
  readonly challenge: boolean;
  readonly authentication: ProductAuthentication;
  /** Further parameters of the token request. */
  readonly exchange?: Readonly<Record<string, string>>;
  readonly idToken?: Readonly<Record<string, unknown>>;
  readonly userInfo?: Readonly<Record<string, unknown>>;
  readonly refreshes?: boolean;
}

/** The user of the sign-ins: a verified address, a display name, and these groups of the organization. */
export const PRODUCT_GROUPS = ["grafana-editors", "immich-admins", "readwrite"];
const GROUPS = PRODUCT_GROUPS;
const NAMES = { name: "Ada Example", preferred_username: "<email>", email: "<email>", email_verified: true };
const SCOPE = "openid profile email groups";
const NONCE = "n-0S6_WzA2Mj";
const STATE = "0123456789abcdef0123456789abcdef";

/** By the name of the preset. */
export const PRODUCTS: Readonly<Record<string, Product>> = {
  kubernetes: {
    redirectUri: "http://localhost:8000",
    asks: { scope: "email profile groups openid offline_access", state: STATE, nonce: NONCE },
    challenge: true,
    authentication: "none",
    idToken: { aud: "<client>", sub: "<sub>", groups: GROUPS, email: "<email>", email_verified: true },
    refreshes: true,
  },
  argo_cd: {
    inputs: { url: "https://argocd.example.test" },
    redirectUri: "https://argocd.example.test/auth/callback",
    asks: { scope: SCOPE, state: STATE, claims: '{"id_token":{"groups":{"essential":true}}}' },
    challenge: true,
    authentication: "basic",
    idToken: { groups: GROUPS, email: "<email>" },
  },
  grafana: {
    inputs: { url: "https://grafana.example.test/" },
    redirectUri: "https://grafana.example.test/login/generic_oauth",
    asks: { scope: SCOPE, state: STATE },
    challenge: true,
    authentication: "basic",
    idToken: { groups: GROUPS, grafana_role: "Editor" },
    userInfo: { ...NAMES, groups: GROUPS, grafana_role: "Editor" },
  },
  minio: {
    inputs: { url: "https://minio.example.test" },
    redirectUri: "https://minio.example.test/oauth_callback",
    asks: { scope: SCOPE, state: "YWJjOmRlZg==" },
    challenge: false,
    authentication: "basic",
    idToken: { policy: GROUPS },
  },
  vault: {
    inputs: { url: "https://vault.example.test:8200" },
    redirectUri: "https://vault.example.test:8200/ui/vault/auth/oidc/oidc/callback",
    asks: { scope: SCOPE, state: "st_4pT", nonce: NONCE },
    challenge: false,
    authentication: "basic",
    idToken: { aud: "<client>", sub: "<sub>", groups: GROUPS, nonce: NONCE },
  },
  gitlab: {
    inputs: { url: "https://gitlab.example.test" },
    redirectUri: "https://gitlab.example.test/users/auth/openid_connect/callback",
    asks: { scope: SCOPE, state: STATE, nonce: NONCE, response_mode: "query" },
    challenge: true,
    authentication: "basic",
    exchange: { scope: SCOPE },
    userInfo: { ...NAMES, sub: "<sub>", nickname: "<email>", groups: GROUPS },
  },
  gitea: {
    inputs: { url: "https://git.example.test", name: "acme" },
    redirectUri: "https://git.example.test/user/oauth2/acme/callback",
    asks: { scope: "openid profile email groups", state: STATE },
    challenge: false,
    authentication: "basic",
    userInfo: { ...NAMES, sub: "<sub>", groups: GROUPS },
  },
  harbor: {
    inputs: { url: "https://harbor.example.test" },
    redirectUri: "https://harbor.example.test/c/oidc/callback",
    asks: { scope: "openid profile email groups offline_access", state: STATE },
    challenge: false,
    authentication: "basic",
    idToken: { sub: "<sub>", preferred_username: "<email>", email: "<email>", groups: GROUPS },
    refreshes: true,
  },
  jenkins: {
    inputs: { url: "https://ci.example.test/jenkins" },
    redirectUri: "https://ci.example.test/jenkins/securityRealm/finishLogin",
    asks: { scope: SCOPE, state: STATE, nonce: NONCE },
    challenge: false,
    authentication: "basic",
    exchange: { scope: SCOPE },
    idToken: { sub: "<sub>", name: "Ada Example", email: "<email>", groups: GROUPS },
  },
  nextcloud: {
    inputs: { url: "https://cloud.example.test", quota: "5GB" },
    redirectUri: "https://cloud.example.test/apps/user_oidc/code",
    asks: {
      scope: SCOPE,
      state: STATE,
      nonce: NONCE,
      claims:
        '{"id_token":{"email":null,"name":null,"quota":null,"groups":null},"userinfo":{"email":null,"quota":null}}',
    },
    challenge: true,
    authentication: "post",
    idToken: { sub: "<sub>", name: "Ada Example", email: "<email>", quota: "5GB", groups: GROUPS },
  },
  proxmox: {
    inputs: { url: "https://pve.example.test:8006" },
    redirectUri: "https://pve.example.test:8006",
    asks: { scope: SCOPE, state: "sso%3A", nonce: NONCE },
    challenge: true,
    authentication: "basic",
    idToken: { sub: "<sub>", preferred_username: "<email>", groups: GROUPS },
  },
  portainer: {
    inputs: { url: "https://portainer.example.test" },
    redirectUri: "https://portainer.example.test",
    asks: { scope: SCOPE },
    challenge: false,
    authentication: "post",
    userInfo: { preferred_username: "<email>", groups: GROUPS },
  },
  mattermost: {
    inputs: { url: "https://chat.example.test" },
    redirectUri: "https://chat.example.test/signup/gitlab/complete",
    asks: { scope: "openid profile email", state: "eyJhY3Rpb24iOiJsb2dpbiJ9" },
    challenge: false,
    authentication: "post",
    userInfo: { id: "<number>", username: "<email>", login: "<email>", email: "<email>", name: "Ada Example" },
  },
  outline: {
    inputs: { url: "https://outline.example.test" },
    redirectUri: "https://outline.example.test/auth/oidc.callback",
    asks: { scope: "openid profile email offline_access", state: STATE },
    challenge: false,
    authentication: "post",
    userInfo: NAMES,
  },
  wordpress: {
    inputs: { url: "https://blog.example.test" },
    redirectUri: "https://blog.example.test/wp-admin/admin-ajax.php?action=openid-connect-authorize",
    asks: { scope: "openid profile email offline_access", state: STATE },
    challenge: false,
    authentication: "post",
    userInfo: { ...NAMES, sub: "<sub>" },
    refreshes: true,
  },
  immich: {
    inputs: { url: "https://photos.example.test" },
    redirectUri: "https://photos.example.test/auth/login",
    asks: { scope: SCOPE, state: STATE },
    challenge: true,
    authentication: "basic",
    idToken: { email: "<email>", name: "Ada Example", preferred_username: "<email>", immich_role: "admin" },
  },
  home_assistant: {
    inputs: { url: "https://home.example.test" },
    redirectUri: "https://home.example.test/auth/oidc/callback",
    asks: { scope: "openid profile groups", state: STATE, nonce: NONCE },
    challenge: true,
    authentication: "post",
    idToken: { name: "Ada Example", groups: GROUPS },
  },
  oauth2_proxy: {
    inputs: { url: "https://app.example.test" },
    redirectUri: "https://app.example.test/oauth2/callback",
    asks: {
      scope: SCOPE,
      nonce: NONCE,
      approval_prompt: "force",
      state: `${"n".repeat(43)}:https%3A%2F%2Fapp.example.test%2Fdeep%2Fpath%3Fx%3D1`,
    },
    challenge: true,
    authentication: "post",
    idToken: { email: "<email>", email_verified: true, preferred_username: "<email>", groups: GROUPS },
  },
  spring: {
    inputs: { url: "https://shop.example.test", name: "acme" },
    redirectUri: "https://shop.example.test/login/oauth2/code/acme",
    asks: { scope: SCOPE, nonce: "x".repeat(43), state: "abc=" },
    challenge: false,
    authentication: "basic",
    idToken: { sub: "<sub>", nonce: "x".repeat(43), groups: GROUPS },
  },
  tailscale: {
    redirectUri: "https://login.tailscale.com/a/oauth_response",
    asks: { scope: SCOPE, state: STATE, nonce: NONCE },
    challenge: false,
    authentication: "basic",
    idToken: { email: "<email>", groups: GROUPS },
  },
  cloudflare_access: {
    inputs: { team: "acme" },
    redirectUri: "https://acme.cloudflareaccess.com/cdn-cgi/access/callback",
    asks: { scope: SCOPE, state: STATE, nonce: NONCE },
    challenge: false,
    authentication: "post",
    idToken: { email: "<email>", groups: GROUPS },
  },
  aws_session_tags: {
    redirectUri: "http://localhost:8400",
    asks: { scope: "openid profile email", state: STATE },
    challenge: true,
    authentication: "none",
    idToken: {
      aud: "<client>",
      "https://aws.amazon.com/tags": {
        principal_tags: { Organization: ["<slug>"], Role: ["member"] },
        transitive_tag_keys: ["Organization"],
      },
    },
  },
  generic: {
    inputs: { redirect_uri: "https://product.example.test/callback" },
    redirectUri: "https://product.example.test/callback",
    asks: { scope: SCOPE, state: STATE, nonce: NONCE },
    challenge: true,
    authentication: "basic",
    idToken: { sub: "<sub>", ...NAMES, groups: GROUPS },
    userInfo: { sub: "<sub>", ...NAMES, groups: GROUPS },
  },
};

export interface ProductApi {
  readonly inputs: Readonly<Record<string, string>>;
  /** Claims of an access token, for a member of the organization of the preset. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Without `organization_id`; undefined: the preset needs an organization. */
  readonly claimsOfAny?: Readonly<Record<string, unknown>>;
}

/** APIs by the name of the preset: the claims of access tokens that the product reads. */
export const PRODUCT_APIS: Readonly<Record<string, ProductApi>> = {
  hasura: {
    inputs: { url: "https://hasura.example.test" },
    claims: {
      "https://hasura.io/jwt/claims": {
        "x-hasura-user-id": "<sub>",
        "x-hasura-org-id": "<organization>",
        "x-hasura-default-role": "member",
        "x-hasura-allowed-roles": ["member"],
      },
    },
  },
  postgrest: {
    inputs: { url: "https://postgrest.example.test/api" },
    claims: { role: "member" },
    claimsOfAny: { role: "authenticated" },
  },
  supabase: {
    inputs: { url: "https://project.supabase.example.test" },
    claims: { role: "authenticated" },
    claimsOfAny: { role: "authenticated" },
  },
};

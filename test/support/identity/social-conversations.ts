/**
 * Conversations of each preset, in the form that the documentation of the provider records: the token response, the
 * claims of the ID token or the resources by address, and the identity that the service reads. A preset without a row
 * fails `test/providers/social-presets.test.ts`.
 */
export interface Conversation {
  /** The issuer of a preset for servers of the operator. */
  readonly issuer?: string;
  /** Claims of the ID token beside the protocol. */
  readonly idToken?: Record<string, unknown>;
  /** Members of the token response beside access token and ID token. */
  readonly tokens?: Record<string, unknown>;
  /** Resources by address: `POST` where the provider expects POST. */
  readonly resources?: Record<string, unknown>;
  /** Headers of requests for resources. */
  readonly headers?: Record<string, string>;
  /** Parameters of the authorization request, of which undefined is absent. */
  readonly request?: Record<string, string | undefined>;
  readonly identity: {
    readonly subject: string;
    readonly email?: string;
    readonly verified: boolean;
    readonly name?: string;
  };
  /** Changes of the claims after which the address is unverified. */
  readonly unverified?: Partial<Pick<Conversation, "idToken" | "resources">>;
}

const EMAIL = "ada@example.com";
const NAME = "Ada Lovelace";
const openid = (sub: string, more: Record<string, unknown> = {}): Conversation => ({
  idToken: { sub, email: EMAIL, email_verified: true, name: NAME, ...more },
  identity: { subject: sub, email: EMAIL, verified: true, name: NAME },
  unverified: { idToken: { sub, email: EMAIL, email_verified: false } },
});

const BITBUCKET = "https://api.bitbucket.org/2.0/user";
const X = "https://api.x.com/2/users/me?user.fields=confirmed_email";
const DISCORD = "https://discord.com/api/users/@me";
const DROPBOX = "POST https://api.dropboxapi.com/2/users/get_current_account";
const ZOOM = "https://api.zoom.us/v2/users/me";
const KAKAO = "https://kapi.kakao.com/v2/user/me";
const PAYPAL = "https://api-m.paypal.com/v1/identity/oauth2/userinfo?schema=paypalv1.1";
const PAYPAL_USER = "https://www.paypal.com/webapps/auth/identity/user/mWq6_1sU85v5EG9yHdPxJRrhGHrnMJ-1PQKtX6pcsmA";

const addresses = (isConfirmed: boolean) => ({
  values: [
    { email: "other@example.com", is_primary: false, is_confirmed: true },
    { email: EMAIL, is_primary: true, is_confirmed: isConfirmed, type: "email" },
  ],
});
const kakaoUser = (isValid: boolean) => ({
  id: 123_456_789,
  connected_at: "2026-04-11T01:45:28Z",
  kakao_account: {
    ...{ has_email: true, is_email_valid: isValid, is_email_verified: true, email: EMAIL },
    profile: { nickname: NAME },
  },
});

export const CONVERSATIONS: Readonly<Record<string, Conversation>> = {
  gitlab: openid("1234567", { sub_legacy: "legacy", groups_direct: ["acme"] }),
  linkedin: {
    ...openid("782bbtaQ", { locale: { country: "US", language: "en" }, email_verified: "true" }),
    request: { nonce: undefined, code_challenge: undefined },
  },
  slack: { ...openid("U0R7MFMJM", { "https://slack.com/team_id": "T0R7GR" }), request: { code_challenge: undefined } },
  twitch: {
    idToken: { sub: "713936733", email: EMAIL, email_verified: true, preferred_username: "ada" },
    tokens: { scope: ["openid", "user:read:email"] },
    request: { claims: '{"id_token":{"email":null,"email_verified":null,"preferred_username":null}}' },
    identity: { subject: "713936733", email: EMAIL, verified: true, name: "ada" },
  },
  salesforce: openid("https://login.salesforce.com/id/00D/005"),
  yahoo: openid("FSVIDUW3D7FSVIDUW3D72F2F"),
  huggingface: openid("63f8a1", { preferred_username: "ada", isPro: false }),
  paypal: {
    idToken: { sub: PAYPAL_USER },
    resources: {
      [PAYPAL]: { user_id: PAYPAL_USER, name: NAME, email: EMAIL, email_verified: "true", verified_account: "true" },
    },
    identity: { subject: PAYPAL_USER, email: EMAIL, verified: true, name: NAME },
    unverified: { resources: { [PAYPAL]: { user_id: PAYPAL_USER, email: EMAIL, email_verified: "false" } } },
  },
  line: {
    idToken: { sub: "U4af4980629", name: NAME, email: EMAIL, amr: ["linesso"] },
    identity: { subject: "U4af4980629", email: EMAIL, verified: false, name: NAME },
  },
  kakao: {
    idToken: { sub: "123456789", nickname: NAME, auth_time: 1 },
    resources: { [KAKAO]: kakaoUser(true) },
    tokens: { refresh_token_expires_in: 5_184_000, scope: "account_email profile_nickname openid" },
    identity: { subject: "123456789", email: EMAIL, verified: true, name: NAME },
    unverified: { resources: { [KAKAO]: kakaoUser(false) } },
  },
  bitbucket: {
    resources: {
      [BITBUCKET]: { account_id: "557058:c2d2", uuid: "{a1}", username: "ada", display_name: NAME, type: "user" },
      [`${BITBUCKET}/emails`]: addresses(true),
    },
    tokens: { scopes: "account email", expires_in: 7200 },
    identity: { subject: "557058:c2d2", email: EMAIL, verified: true, name: NAME },
    unverified: {
      resources: { [BITBUCKET]: { account_id: "557058:c2d2" }, [`${BITBUCKET}/emails`]: addresses(false) },
    },
  },
  x: {
    resources: { [X]: { data: { id: "2244994945", name: NAME, username: "ada", confirmed_email: EMAIL } } },
    identity: { subject: "2244994945", email: EMAIL, verified: true, name: NAME },
    unverified: { resources: { [X]: { data: { id: "2244994945" } } } },
  },
  discord: {
    resources: {
      [DISCORD]: { id: "80351110224678912", global_name: NAME, verified: true, email: EMAIL, mfa_enabled: true },
    },
    identity: { subject: "80351110224678912", email: EMAIL, verified: true, name: NAME },
    unverified: { resources: { [DISCORD]: { id: "80351110224678912", verified: false, email: EMAIL } } },
  },
  spotify: {
    resources: {
      "https://api.spotify.com/v1/me": { id: "wizzler", display_name: NAME, email: EMAIL, email_verified: true },
    },
    identity: { subject: "wizzler", email: EMAIL, verified: false, name: NAME },
  },
  figma: {
    resources: { "https://api.figma.com/v1/me": { id: "1029384756", email: EMAIL, handle: NAME, img_url: "" } },
    tokens: { user_id_string: "1029384756", expires_in: 7_776_000 },
    identity: { subject: "1029384756", email: EMAIL, verified: false, name: NAME },
  },
  dropbox: {
    resources: {
      [DROPBOX]: {
        account_id: "dbid:AAH4f99T0taONIb",
        name: { display_name: NAME },
        email: EMAIL,
        email_verified: true,
      },
    },
    tokens: { uid: "12345", account_id: "dbid:AAH4f99T0taONIb" },
    identity: { subject: "dbid:AAH4f99T0taONIb", email: EMAIL, verified: true, name: NAME },
    unverified: {
      resources: { [DROPBOX]: { account_id: "dbid:AAH4f99T0taONIb", email: EMAIL, email_verified: false } },
    },
  },
  zoom: {
    resources: { [ZOOM]: { id: "KDcuGIm1QgePTO8WbOqwIQ", display_name: NAME, email: EMAIL, verified: 1 } },
    identity: { subject: "KDcuGIm1QgePTO8WbOqwIQ", email: EMAIL, verified: true, name: NAME },
    unverified: { resources: { [ZOOM]: { id: "KDcuGIm1QgePTO8WbOqwIQ", email: EMAIL, verified: 0 } } },
  },
  notion: {
    resources: {
      "https://api.notion.com/v1/users/me": {
        ...{ object: "user", id: "9188c6a5", type: "bot" },
        bot: { owner: { type: "user", user: { id: "e79a0b74", name: NAME, person: { email: EMAIL } } } },
      },
    },
    headers: { "notion-version": "2022-06-28" },
    request: { owner: "user" },
    tokens: { bot_id: "9188c6a5", workspace_name: "Acme", owner: { type: "user" }, refresh_token: null },
    identity: { subject: "e79a0b74", email: EMAIL, verified: false, name: NAME },
  },
  atlassian: {
    resources: {
      "https://api.atlassian.com/me": { account_id: "112233aa", email: EMAIL, name: NAME, account_status: "active" },
    },
    request: { audience: "api.atlassian.com", prompt: "consent" },
    identity: { subject: "112233aa", email: EMAIL, verified: false, name: NAME },
  },
  naver: {
    resources: {
      "https://openapi.naver.com/v1/nid/me": {
        ...{ resultcode: "00", message: "success" },
        response: { id: "32742776", email: EMAIL, name: NAME },
      },
    },
    tokens: { expires_in: "3600" },
    identity: { subject: "32742776", email: EMAIL, verified: false, name: NAME },
  },
  keycloak: { ...openid("f:1:ada", { typ: "ID", azp: "acme-web" }), issuer: "https://sso.example.com/realms/acme" },
  zitadel: {
    ...openid("163840776835432705", { aud: ["acme-web", "69234237810729019"], azp: "acme-web" }),
    issuer: "https://login.example.com",
  },
  authentik: { ...openid("ba6fcb2e"), issuer: "https://auth.example.com/application/o/acme/" },
};

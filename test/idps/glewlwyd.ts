/** Glewlwyd from Debian as an OpenID provider, unpacked and served by its own program behind TLS. */
import { Database } from "bun:sqlite";
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CookieJar } from "tough-cookie";
import { freePort } from "../../db/embedded.ts";
import { testCertificate } from "../support/certificate.ts";
import { dieWithParent } from "../support/die-with-parent.ts";
import { unpackDebianPackages, unpackWithDependencies } from "../support/packages.ts";
import { samlKeys } from "../support/saml/keys.ts";
import { stopLater } from "../support/services.ts";
import { until } from "../support/waiting.ts";
import type { OpenidProduct } from "./identity-provider.ts";
import { serveByTls } from "./pair.ts";

const UNPACKED = join(tmpdir(), "identity-glewlwyd");
const ROOT = join(UNPACKED, "root");
/** The pages link into packages that this machine may have at another place. */
const PAGES = "glewlwyd-common libjs-bootstrap4 libjs-popper.js libjs-jquery fonts-fork-awesome";
const UNPACKED_PAGES = join(tmpdir(), "identity-glewlwyd-pages");
const SHARED = join(UNPACKED_PAGES, "root/usr/share/glewlwyd");
const SQL = join(ROOT, "usr/share/dbconfig-common/data/glewlwyd/install/sqlite3");
const CLIENT_ID = "identity-service";
const CLIENT_SECRET = "a-client-secret-of-the-product";
/** The administrator whom the script of the package creates. */
const ADMINISTRATOR = { username: "admin", password: "password" };
const EMPLOYEE = { username: "grace", password: "the password of grace" };
const EMAIL = "grace@glewlwyd.example";

export async function startGlewlwyd(): Promise<OpenidProduct> {
  unpackWithDependencies("glewlwyd", UNPACKED);
  unpackDebianPackages(PAGES, UNPACKED_PAGES);
  const port = await freePort();
  const url = serveByTls(port);
  startProgram(port, url);
  await until("Glewlwyd responds", async () => {
    const response = await fetch(`http://127.0.0.1:${port}/config`).catch(() => undefined);
    return response?.status === 200;
  });
  const administrator = new Administrator(url);
  await administrator.post("/api/auth/", ADMINISTRATOR);
  await administrator.post("/api/mod/plugin/", pluginOf(`${url}/api/oidc`));
  await administrator.post("/api/user/", {
    ...EMPLOYEE,
    name: "Grace",
    email: EMAIL,
    scope: ["openid"],
    enabled: true,
  });
  return {
    name: "Glewlwyd",
    issuer: `${url}/api/oidc`,
    email: EMAIL,
    settings: { scopes: "openid" },
    // The product refuses `max_age=0`.
    passwordValue: undefined,
    sendsLogoutTokens: true,
    age: () => undefined,
    isAsking: async (visitor) => visitor.url().pathname === "/login.html",
    async signIn(visitor) {
      await visitor.arrive("the form of Glewlwyd", ({ pathname }) => pathname === "/login.html");
      const continuation = visitor.url().searchParams.get("callback_url") ?? "";
      await visitor.request("POST", "/api/auth/", EMPLOYEE);
      await visitor.request("PUT", `/api/auth/grant/${CLIENT_ID}`, { scope: "openid" });
      await visitor.open(`${continuation}&g_continue`);
    },
    async signOut(visitor) {
      await visitor.open(`${url}/login.html`);
      const session = await visitor.cookie("GLEWLWYD2_OIDC_SID");
      await visitor.request("DELETE", `/api/oidc/session/${session}/`);
      await visitor.request("DELETE", "/api/auth/");
    },
    async register({ redirectUri, backchannelLogoutUri }) {
      await administrator.post("/api/client/", {
        client_id: CLIENT_ID,
        name: "Identity service",
        confidential: true,
        password: CLIENT_SECRET,
        redirect_uri: [redirectUri],
        authorization_type: ["code"],
        token_endpoint_auth_method: ["client_secret_basic"],
        backchannel_logout_uri: backchannelLogoutUri,
        backchannel_logout_session_required: "1",
        scope: [],
        enabled: true,
      });
      return { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
    },
  };
}

function startProgram(port: number, url: string): void {
  const folder = mkdtempSync(join(tmpdir(), "identity-glewlwyd-"));
  const database = new Database(join(folder, "glewlwyd.db"), { create: true });
  database.run(readFileSync(SQL, "utf8"));
  database.close();
  const pages = join(folder, "webapp");
  // The package links to a file of /etc.
  const filter = (source: string) => !source.endsWith("/config.json");
  cpSync(join(SHARED, "webapp"), pages, { recursive: true, dereference: true, filter });
  cpSync(join(SHARED, "templates/config.json"), join(pages, "config.json"));
  writeFileSync(join(folder, "glewlwyd.conf"), configurationOf(port, url, folder));
  const log = openSync(join(folder, "glewlwyd.log"), "a");
  const args = [`--config-file=${join(folder, "glewlwyd.conf")}`];
  const program = spawn(...dieWithParent(join(ROOT, "usr/bin/glewlwyd"), args), {
    stdio: ["ignore", log, log],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(ROOT, "usr/lib/x86_64-linux-gnu"),
      // Logout tokens go to the service by http; the certificate is the certificate of this test.
      CURL_CA_BUNDLE: testCertificate().file,
    },
  });
  stopLater(async () => {
    program.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
}

const configurationOf = (port: number, url: string, folder: string) => `
port=${port}
bind_address="127.0.0.1"
external_url="${url}"
login_url="login.html"
api_prefix="api"
static_files_path="${folder}/webapp/"
log_mode="console"
log_level="INFO"
cookie_secure=1
session_key="GLEWLWYD2_SESSION_ID"
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="${ROOT}/usr/lib/glewlwyd/user"
client_module_path="${ROOT}/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="${ROOT}/usr/lib/glewlwyd/scheme"
plugin_module_path="${ROOT}/usr/lib/glewlwyd/plugin"
hash_algorithm="SHA512"
database = { type = "sqlite3"; path = "${folder}/glewlwyd.db"; };
static_files_mime_types = (
  { extension = ".html"; mime_type = "text/html"; },
  { extension = ".css"; mime_type = "text/css"; },
  { extension = ".js"; mime_type = "application/javascript"; },
  { extension = ".json"; mime_type = "application/json"; }
)
`;

/** An administrator at the API of the product. */
class Administrator {
  readonly #jar = new CookieJar();
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async post(path: string, body: object): Promise<void> {
    const url = `${this.#url}${path}`;
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: this.#jar.getCookieStringSync(url) },
      body: JSON.stringify(body),
      tls: { ca: testCertificate().cert },
    });
    for (const cookie of response.headers.getSetCookie()) this.#jar.setCookieSync(cookie, url);
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  }
}

/** The plugin for OpenID Connect with the settings of the guide, and the defaults of the console of the product. */
function pluginOf(issuer: string) {
  const { key, certificate } = samlKeys.idp();
  return {
    module: "oidc",
    name: "oidc",
    display_name: "OpenID Connect",
    enabled: true,
    parameters: {
      iss: issuer,
      "oauth-as-iss-id": true,
      "jwt-type": "rsa",
      "jwt-key-size": "256",
      key,
      cert: certificate,
      "access-token-duration": 3600,
      "refresh-token-duration": 1_209_600,
      "code-duration": 600,
      "refresh-token-rolling": true,
      "allow-non-oidc": false,
      "auth-type-code-enabled": true,
      "auth-type-token-enabled": false,
      "auth-type-id-token-enabled": false,
      "auth-type-none-enabled": false,
      "auth-type-password-enabled": false,
      "auth-type-client-enabled": false,
      "auth-type-device-enabled": false,
      "auth-type-refresh-enabled": false,
      scope: [],
      "additional-parameters": [],
      claims: [],
      "jwks-show": true,
      "secret-type": "pairwise",
      "address-claim": { type: "no" },
      "name-claim": "mandatory",
      "email-claim": "mandatory",
      "scope-claim": "no",
      "allowed-scope": ["openid"],
      "pkce-allowed": true,
      "pkce-method-plain-allowed": false,
      "introspection-revocation-allowed": false,
      "register-client-allowed": false,
      "session-management-allowed": true,
      "session-cookie-name": "GLEWLWYD2_OIDC_SID",
      "session-cookie-expiration": 2_419_200,
      "front-channel-logout-allowed": false,
      "back-channel-logout-allowed": true,
      "client-jwks-parameter": "jwks",
      "client-jwks_uri-parameter": "jwks_uri",
    },
  };
}

/** docs/guides/reverse-proxy.md verbatim with Debian's Apache, which `npm run test:guides` installs. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CookieJar } from "tough-cookie";
import { freePort } from "../../db/embedded.ts";
import { testCertificate } from "../support/certificate.ts";
import { dieWithParent } from "../support/die-with-parent.ts";
import { isRefreshed } from "../support/guide-programs.ts";
import { personWithBrowser } from "../support/oauth.ts";
import { installDebianPackages } from "../support/packages.ts";
import { type PageSite, startSite } from "../support/pages.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { until } from "../support/waiting.ts";

const GUIDE = readFileSync(join(import.meta.dir, "../../docs/guides/reverse-proxy.md"), "utf8");
const blockOf = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(GUIDE)?.[1] ?? "";
const MODULES = "/usr/lib/apache2/modules";
/** Spoofed headers that a browser sends in the hope that the application trusts the headers. */
const SPOOFED = { "x-remote-user": "root", "x-remote-email": "root@example.com" };
const NAME = "Ada Example";
const INSTALL_DEADLINE_MS = 300_000;

let site: PageSite;
let wiki: ReturnType<typeof Bun.serve>;
let apache: ChildProcess | undefined;
let home = "";
let clientId = "";
const folder = mkdtempSync(join(tmpdir(), "identity-apache-"));

beforeAll(async () => {
  const packages = /^apt-get install (.+)$/m.exec(GUIDE)?.[1] ?? "";
  if (!existsSync(`${MODULES}/mod_auth_openidc.so`)) {
    console.info(`apt-get install ${packages}`);
    installDebianPackages(packages);
  }
  // Access tokens that the module refreshes at each request, as in the last minute of a longer lifetime.
  site = await startSite({ NODE_EXTRA_CA_CERTS: testCertificate().file, SERVICE_ACCESS_EXPIRY_SECS: "60" });
  // The application has no sign-in and returns the received headers.
  wiki = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: ({ headers }) => Response.json(headers) });
  await startApache(await freePort());
}, INSTALL_DEADLINE_MS);
afterAll(async () => {
  apache?.kill("SIGTERM");
  await wiki?.stop(true);
  await site?.one.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns a block of the guide with the addresses of this test. */
function here(language: string): string {
  return blockOf(language)
    .replaceAll("https://auth.example.com", site.origin)
    .replaceAll("https://wiki.example.com/", home)
    .replaceAll("http://127.0.0.1:8080/", wiki.url.href);
}

async function startApache(port: number): Promise<void> {
  home = `https://localhost:${port}/`;
  const settings = JSON.parse(/-d '(\{[\s\S]*?\})'/.exec(here("sh"))?.[1] ?? "");
  const { client } = await steppedUpAdmin(site, "owner");
  const registered = await client.post("/v1/admin/oauth-clients", { ...settings, first_party: true });
  expect(registered.status).toBe(201);
  clientId = registered.body.client_id;
  writeFileSync(join(folder, "apache2.conf"), configuration(port));
  chmodSync(folder, 0o755);
  const env = {
    PATH: String(process.env.PATH),
    OIDC_CLIENT_ID: registered.body.client_id,
    OIDC_CLIENT_SECRET: registered.body.client_secret,
    OIDC_PASSPHRASE: "a passphrase of the test",
  };
  const args = ["-d", folder, "-f", join(folder, "apache2.conf"), "-DFOREGROUND"];
  apache = spawn(...dieWithParent("/usr/sbin/apache2", args), { env, stdio: ["ignore", "inherit", "inherit"] });
  await until("Apache listens", async () => (await visit(new CookieJar(), home).catch(() => undefined)) !== undefined);
}

/** Builds the effect of a2enmod and of the certificate's virtual host, plus the block of the guide. */
function configuration(port: number): string {
  const enabled = /^a2enmod (.+)$/m.exec(GUIDE)?.[1]?.split(" ") ?? [];
  // proxy_http requires proxy, and ssl requires a cache; the package enables the remaining modules.
  const modules = ["mpm_event", "authn_core", "authz_core", "authz_user", "socache_shmcb", "proxy", ...enabled];
  const { file, key } = testCertificate();
  writeFileSync(join(folder, "key.pem"), key);
  return `
${modules.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join("\n")}
User nobody
Group nogroup
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
Mutex file:${folder} default
ServerName localhost
Listen 127.0.0.1:${port}
<VirtualHost *:${port}>
SSLEngine on
SSLCertificateFile ${file}
SSLCertificateKeyFile ${folder}/key.pem
${here("apache")}
</VirtualHost>
`;
}

/** Sends a request to Apache with the cookies of a browser and with spoofed identity headers. */
async function visit(jar: CookieJar, url: string): Promise<Response> {
  const cookie = await jar.getCookieString(url);
  const tls = { ca: testCertificate().cert };
  const response = await fetch(url, { redirect: "manual", headers: { ...SPOOFED, cookie }, tls });
  for (const each of response.headers.getSetCookie()) await jar.setCookie(each, url);
  return response;
}

const locationOf = (response: Response) => response.headers.get("location") ?? "";

/** Signs in a user whose browser was redirected to the sign-in and back. */
async function signedIn() {
  const jar = new CookieJar();
  const person = await personWithBrowser(site);
  expect((await person.client.patch("/v1/users/me", { display_name: NAME })).status).toBe(200);
  const sent = locationOf(await visit(jar, `${home}page?x=1`));
  expect(sent).toStartWith(`${site.origin}/oauth2/authorize?`);
  expect(new URL(sent).searchParams.get("code_challenge_method")).toBe("S256");
  const { location } = await person.browser.follow(sent.slice(site.origin.length));
  const back = await visit(jar, String(location));
  expect([back.status, locationOf(back)]).toEqual([302, `${home}page?x=1`]);
  const headers = (await (await visit(jar, locationOf(back))).json()) as Record<string, string>;
  return { ...person, jar, headers };
}

describe("docs/guides/reverse-proxy.md", () => {
  test("signs a user in, with PKCE, and tells the application who it is, whatever the browser says", async () => {
    const { headers, userId, email } = await signedIn();
    const received = ["user", "email", "name"].map((value) => headers[`x-remote-${value}`]);
    expect(received).toEqual([userId, email, NAME]);
    expect(JSON.stringify(headers)).not.toContain("mod_auth_openidc");
  });

  test("verifies ID tokens by ES256 too: the keys of the service have three algorithms", async () => {
    const { keys } = (await (await fetch(`${site.origin}/.well-known/jwks.json`)).json()) as {
      keys: { kty: string }[];
    };
    expect(new Set(keys.map(({ kty }) => kty))).toEqual(new Set(["EC", "OKP", "RSA"]));
    const { client } = await steppedUpAdmin(site, "owner");
    const path = `/v1/admin/oauth-clients/${clientId}`;
    for (const algorithm of ["ES256", "RS256"]) {
      const changed = await client.patch(path, { id_token_signed_response_alg: algorithm });
      expect(changed.status).toBe(200);
      const { headers, userId } = await signedIn();
      expect([algorithm, headers["x-remote-user"]]).toEqual([algorithm, userId]);
    }
  });

  test("refreshes the tokens before the expiry", async () => {
    const { jar } = await signedIn();
    expect((await visit(jar, home)).status).toBe(200);
    expect(await isRefreshed(site, { id: clientId })).toBe(true);
    expect((await visit(jar, home)).status).toBe(200);
  });

  test("signs out here and there when the application asks for it", async () => {
    const { jar, browser, client } = await signedIn();
    const link = /`(https:\/\/wiki[^`]*\?logout=[^`]*)`/.exec(GUIDE)?.[1] ?? "";
    const path = link.replace("https://wiki.example.com/", "").split("?")[0];
    const leaving = locationOf(await visit(jar, `${home}${path}?logout=${encodeURIComponent(home)}`));
    expect(leaving).toStartWith(`${site.origin}/oauth2/logout?`);
    const { location } = await browser.follow(leaving.slice(site.origin.length));
    expect(location?.href).toBe(home);
    expect((await client.get("/v1/auth/session", { documented: false })).status).toBe(401);
    expect(locationOf(await visit(jar, home))).toStartWith(`${site.origin}/oauth2/authorize?`);
  });

  test("ends the session of the application when the session here ends", async () => {
    const { jar, client } = await signedIn();
    const other = await signedIn();
    expect((await visit(jar, home)).status).toBe(200);
    expect((await client.post("/v1/auth/logout")).status).toBe(204);
    await until("the logout token has arrived", async () => (await visit(jar, home)).status === 302);
    expect((await visit(other.jar, home)).status).toBe(200);
  });
});

/** docs/guides/sign-in-servers.md with the packages of Debian, which `npm run test:guides` installs. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchPackages } from "../../clients/demo/fetched-packages.ts";
import { guideFiles, writeGuide } from "../../clients/demo/guide-code.ts";
import { freePort } from "../../db/embedded.ts";
import { ApplicationBrowser } from "../support/application-browser.ts";
import type { Client } from "../support/client.ts";
import {
  clientVariables,
  isRefreshed,
  isSignedIn,
  namedUser,
  registerApplication,
  startProgram,
  stopGuidePrograms,
  USER_NAME,
  untilListening,
} from "../support/guide-programs.ts";
import { registerClient, type TestClient, tokensFor } from "../support/oauth.ts";
import { startOidcAgent } from "../support/oidc-agent.ts";
import { installDebianPackages } from "../support/packages.ts";
import { type PageSite, startSite } from "../support/pages.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { until } from "../support/waiting.ts";

const GUIDE = "sign-in-servers";
const TEXT = readFileSync(join(import.meta.dir, `../../docs/guides/${GUIDE}.md`), "utf8");
const INSTALL_DEADLINE_MS = 600_000;
const MAIL = "https://mail.example.com/";
/** Debian's Python has the packages of Debian; the first Python on PATH may be a different one. */
const PYTHON = "/usr/bin/python3";

let site: PageSite;
let admin: Client;
const folder = mkdtempSync(join(tmpdir(), "identity-guides-"));

beforeAll(async () => {
  const packages = [...TEXT.matchAll(/^apt-get install (.+)$/gm)].map(([, names = ""]) => names).join(" ");
  console.info(`apt-get install ${packages}`);
  installDebianPackages(packages);
  fetchPackages(folder, ["express", "express-openid-connect", "jose"]);
  writeGuide(GUIDE, folder);
  site = await startSite();
  admin = (await steppedUpAdmin(site, "owner")).client;
}, INSTALL_DEADLINE_MS);
afterAll(() => {
  stopGuidePrograms();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a file of the guide with the addresses of this test. */
function writeAdapted(name: string, replaced: Readonly<Record<string, string>>): void {
  const text = guideFiles(GUIDE).get(name);
  if (text === undefined) throw new Error(`the guide has no file ${name}`);
  const adapted = Object.entries(replaced).reduce((code, [from, to]) => {
    if (!code.includes(from)) throw new Error(`${name} does not contain ${from}`);
    return code.replaceAll(from, to);
  }, text);
  writeFileSync(join(folder, name), adapted);
}

describe(`docs/guides/${GUIDE}.md`, () => {
  test("Authlib signs a user in with name and email address, refreshes and signs out", async () => {
    const { home, port, client } = await registerApplication(admin, "callback");
    const env = { ...clientVariables(site, client), PORT: String(port), AUTHLIB_INSECURE_TRANSPORT: "1" };
    startProgram([PYTHON, "authlib_notes.py"], folder, env);
    await untilListening(home);
    const person = await namedUser(site);
    const browser = new ApplicationBrowser(site.origin, person.browser);
    expect((await browser.open(`${home}sign-in`)).text).toBe(`Signed in as ${USER_NAME} <${person.email}>`);
    for (const _ of [1, 2]) expect((await browser.open(`${home}refresh`)).text).toBe("Refreshed");
    expect(await isRefreshed(site, client)).toBe(true);
    expect((await browser.open(`${home}sign-out`)).text).toStartWith("Signed out");
    expect(await isSignedIn(person)).toBe(false);
  });

  test("nginx names the user to the application, refreshes and signs out", async () => {
    const { home, port, client } = await registerApplication(admin, "callback");
    const gatewayPort = await freePort();
    const wiki = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: ({ headers }) => Response.json(headers) });
    writeAdapted("wiki.conf", {
      "127.0.0.1:8080": `127.0.0.1:${port}`,
      "127.0.0.1:8081": `127.0.0.1:${gatewayPort}`,
      "127.0.0.1:8082": `127.0.0.1:${wiki.port}`,
    });
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/nginx-${name};`,
    );
    writeFileSync(
      join(folder, "nginx.conf"),
      `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
       http { access_log off; ${paths.join(" ")} include ${folder}/wiki.conf; }`,
    );
    startProgram(["/usr/sbin/nginx", "-e", "stderr", "-c", join(folder, "nginx.conf")], folder, {});
    const env = { ...clientVariables(site, client), PORT: String(gatewayPort), HOME: home.slice(0, -1) };
    startProgram(["node", "gateway.mjs"], folder, env);
    await Promise.all([untilListening(home), untilListening(`http://127.0.0.1:${gatewayPort}/`)]);
    const person = await namedUser(site);
    const browser = new ApplicationBrowser(site.origin, person.browser);
    await browser.open(`${home}login`);
    const spoofed = await browser.send(home, { headers: { "x-remote-email": "root@example.com" } });
    expect(await spoofed.json()).toMatchObject({
      "x-remote-user": person.userId,
      "x-remote-email": person.email,
      "x-remote-name": encodeURIComponent(USER_NAME),
    });
    expect((await browser.send(`${home}session`)).status).toBe(404);
    expect((await browser.open(`${home}refresh`)).text).toBe("Refreshed");
    expect(await isRefreshed(site, client)).toBe(true);
    expect((await browser.open(`${home}logout`)).url).toStartWith(`${site.origin}/sign-in`);
    expect(await isSignedIn(person)).toBe(false);
    expect((await browser.send(home)).headers.get("location")).toEndWith("/login");
    await wiki.stop(true);
  });

  test("Prometheus reads metrics with a token of its own, and the target refuses requests without", async () => {
    const client = await registerClient(
      {
        name: "Prometheus",
        grant_types: ["client_credentials"],
        redirect_uris: [],
        scopes: ["metrics:read"],
        resources: ["https://notes.example.com/"],
      },
      admin,
    );
    const [target, port] = [await freePort(), await freePort()];
    startProgram(["node", "metrics.mjs"], folder, { ISSUER: site.origin, PORT: String(target) });
    await untilListening(`http://127.0.0.1:${target}/`);
    expect((await fetch(`http://127.0.0.1:${target}/metrics`)).status).toBe(401);
    writeFileSync(join(folder, "client_secret"), client.secret);
    writeAdapted("prometheus.yml", {
      "https://auth.example.com": site.origin,
      "scheme: https": "scheme: http\n    scrape_interval: 1s",
      "[notes.example.com]": `["127.0.0.1:${target}"]`,
      "client_id: CLIENT_ID": `client_id: ${client.id}`,
    });
    const listen = `--web.listen-address=127.0.0.1:${port}`;
    startProgram(["prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=tsdb", listen], folder, {});
    await until("Prometheus has the metric", async () => {
      const query = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=notes_total`).catch(() => undefined);
      return query?.ok === true && (await query.text()).includes('"42"');
    });
  });

  test("Dovecot opens the mailbox of the user of a token, and refuses tokens of an ended session", async () => {
    const dovecot = await registerClient(
      {
        name: "Dovecot",
        grant_types: ["client_credentials"],
        redirect_uris: [],
        scopes: ["mail"],
        audiences: [MAIL],
        resources: [],
      },
      admin,
    );
    const program = await registerClient({ name: "Mail", scopes: ["openid", "email"], resources: [MAIL] }, admin);
    const imap = await startDovecot(dovecot);
    const person = await namedUser(site);
    const { access_token } = await tokensFor(program, person.browser, { scope: "openid email", resource: MAIL });
    expect(await imap(person.email, access_token)).toContain("a OK");
    expect(await imap("someone@example.com", access_token)).not.toContain("a OK");
    expect(await imap(person.email, `${access_token}x`)).not.toContain("a OK");
    expect((await person.client.post("/v1/auth/logout")).status).toBe(204);
    await until("the token is inactive", async () => !(await imap(person.email, access_token)).includes("a OK"));
  });

  test("oidc-agent gives tokens with name and email address, refreshes, and revokes at the deletion", async () => {
    await using agent = await startOidcAgent(site, mkdtempSync(join(folder, "home-")));
    const person = await namedUser(site);
    await agent.signIn(person.browser);
    const userInfo = { sub: person.userId, name: USER_NAME, email: person.email };
    expect(JSON.parse((await agent.enter("user")).output)).toMatchObject(userInfo);
    expect(await isRefreshed(site, agent.client)).toBe(false);
    expect((await agent.enter("refresh")).code).toBe(0);
    expect(await isRefreshed(site, agent.client)).toBe(true);
    // A later agent has the refresh token of the last refresh; an earlier token would revoke the family.
    await agent.restart();
    for (const block of ["load", "refresh", "sign-out"]) expect(await agent.enter(block)).toMatchObject({ code: 0 });
    const families =
      await site.sql`select revoked_reason from oauth_token_families where client_id = ${agent.client.id}`;
    expect([...families]).toEqual([{ revoked_reason: "token_revoked" }]);
  });

  test("oidc-agent receives no further token after the user removed the application", async () => {
    await using agent = await startOidcAgent(site, mkdtempSync(join(folder, "home-")));
    const person = await namedUser(site);
    await agent.signIn(person.browser);
    expect((await agent.enter("refresh")).code).toBe(0);
    const [grant] = (await person.client.get("/v1/users/me/grants")).body.items;
    expect((await person.client.delete(`/v1/users/me/grants/${grant.id}`)).status).toBe(204);
    const refused = await agent.enter("refresh");
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain("invalid_grant");
  });
});

/** Starts Dovecot with the files of the guide; returns a sign-in by OAUTHBEARER (RFC 7628). */
async function startDovecot({ id, secret }: TestClient) {
  const port = await freePort();
  const { host } = new URL(site.origin);
  writeAdapted("dovecot-oauth2.conf.ext", {
    "https://CLIENT_ID:CLIENT_SECRET@auth.example.com": `http://${id}:${secret}@${host}`,
  });
  const vmail = join(folder, "vmail");
  mkdirSync(vmail);
  for (const path of [folder, vmail]) chmodSync(path, 0o777);
  writeAdapted("auth-oauth2.conf.ext", {
    "/etc/dovecot/dovecot-oauth2.conf.ext": join(folder, "dovecot-oauth2.conf.ext"),
    "uid=vmail gid=vmail home=/var/vmail/%u": `uid=nobody gid=nogroup home=${vmail}/%u`,
  });
  const run = join(folder, "dovecot");
  const settings = `
protocols = imap
base_dir = ${run}
state_dir = ${run}/state
log_path = /dev/stderr
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
mail_location = maildir:~/Maildir
# Dovecot delays the attempts of an address after a failure.
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
}
!include auth-oauth2.conf.ext
`;
  writeFileSync(join(folder, "dovecot.conf"), settings);
  startProgram(["/usr/sbin/dovecot", "-F", "-c", join(folder, "dovecot.conf")], folder, {});
  const attempt = (user: string, token: string) => imapSignIn(port, user, token);
  await until("Dovecot listens", async () => (await attempt("nobody", "x").catch(() => "")) !== "");
  return attempt;
}

/** The response to AUTHENTICATE, and to the empty reply that follows an error. */
function imapSignIn(port: number, user: string, token: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const initial = `n,a=${user},\x01auth=Bearer ${token}\x01\x01`;
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("error", reject);
  socket.on("data", (text: string) => {
    if (received === "") socket.write(`a AUTHENTICATE OAUTHBEARER ${Buffer.from(initial).toString("base64")}\r\n`);
    received += text;
    if (/^\+ /m.test(text)) socket.write("AQ==\r\n");
    if (/^a (?:OK|NO|BAD)/m.test(received)) socket.end();
  });
  socket.on("close", () => resolve(received));
  return promise;
}

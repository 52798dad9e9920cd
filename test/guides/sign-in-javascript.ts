/** docs/guides/sign-in-javascript.md: `npm run test:guides` fetches the libraries and runs the programs unchanged. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchPackages, isFetchedPackage } from "../../clients/demo/fetched-packages.ts";
import { guideBlock, writeGuide } from "../../clients/demo/guide-code.ts";
import { ApplicationBrowser } from "../support/application-browser.ts";
import type { Client } from "../support/client.ts";
import {
  type Application,
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
import { type PageSite, Reader, startSite } from "../support/pages.ts";
import { steppedUpAdmin } from "../support/platform.ts";

const GUIDE = "sign-in-javascript";
const TEXT = readFileSync(join(import.meta.dir, `../../docs/guides/${GUIDE}.md`), "utf8");
/** Next.js in a single process: the server that `next dev` starts outlives a killed parent. */
const NEXT_SERVER = `import { createServer } from "node:http";
import next from "next";
const [hostname, port] = ["127.0.0.1", Number(process.env.PORT)];
const app = next({ dev: true, dir: import.meta.dirname, hostname, port });
await app.prepare();
createServer(app.getRequestHandler()).listen(port, hostname);
`;

const INSTALL_DEADLINE_MS = 600_000;

let site: PageSite;
let admin: Client;
const folder = mkdtempSync(join(tmpdir(), "identity-guides-"));

beforeAll(async () => {
  const installed = [...TEXT.matchAll(/^npm install (.+)$/gm)].map(([, names = ""]) => names.split(" "));
  // next-auth and Auth.js need different versions of @auth/core.
  const [next, others] = [installed.filter(usesNext), installed.filter((names) => !usesNext(names))];
  fetchPackages(join(folder, "next-auth"), packagesOf(next));
  fetchPackages(folder, packagesOf(others));
  writeGuide(GUIDE, folder);
  writeFileSync(join(folder, "next-auth/serve.mjs"), NEXT_SERVER);
  site = await startSite();
  admin = (await steppedUpAdmin(site, "owner")).client;
}, INSTALL_DEADLINE_MS);
afterAll(() => {
  stopGuidePrograms();
  rmSync(folder, { recursive: true, force: true });
});

const usesNext = (names: readonly string[]) => names.includes("next");

const packagesOf = (lines: readonly string[][]) => [...new Set(lines.flat())].filter(isFetchedPackage);

function environmentOf({ client, port, home }: Application): Record<string, string> {
  return {
    ...clientVariables(site, client),
    PORT: String(port),
    NEXTAUTH_URL: home.slice(0, -1),
    NEXT_TELEMETRY_DISABLED: "1",
  };
}

interface Library {
  readonly callback: string;
  readonly command: (application: Application) => readonly string[];
  readonly settings?: Record<string, unknown>;
  readonly signIn: (browser: ApplicationBrowser, home: string) => Promise<{ readonly text: string }>;
  readonly signOut: string;
}

const LIBRARIES: Readonly<Record<string, Library>> = {
  "Auth.js": {
    callback: "auth/callback/acme",
    command: () => ["node", "authjs.mjs"],
    signIn: (browser, home) => browser.submit(`${home}auth/signin`),
    signOut: "sign-out",
  },
  "next-auth": {
    callback: "api/auth/callback/acme",
    command: () => ["node", "next-auth/serve.mjs"],
    signIn: (browser, home) => browser.submit(`${home}api/auth/signin`),
    signOut: "sign-out",
  },
  "passport-openidconnect": {
    callback: "callback",
    command: () => ["node", "passport.mjs"],
    settings: { require_pkce: false },
    signIn: (browser, home) => browser.open(`${home}sign-in`),
    signOut: "sign-out",
  },
  "express-openid-connect": {
    callback: "callback",
    command: () => ["node", "express-openid-connect.mjs"],
    signIn: (browser, home) => browser.open(`${home}login`),
    signOut: "logout",
  },
};

describe(`docs/guides/${GUIDE}.md`, () => {
  test.each(Object.entries(LIBRARIES))(
    "%s signs a user in with name and email address, refreshes and signs out",
    async (_name, { callback, command, settings, signIn, signOut }) => {
      const application = await registerApplication(admin, callback, settings);
      const { home, client } = application;
      startProgram(command(application), folder, environmentOf(application));
      await untilListening(home);
      const person = await namedUser(site);
      const browser = new ApplicationBrowser(site.origin, person.browser);
      expect((await browser.open(home)).text).toStartWith("Signed out");
      await signIn(browser, home);
      expect((await browser.open(home)).text).toBe(`Signed in as ${USER_NAME} <${person.email}>`);
      expect(await isRefreshed(site, client)).toBe(false);
      expect((await browser.open(`${home}refresh`)).text).toBe("Refreshed");
      expect(await isRefreshed(site, client)).toBe(true);
      expect((await browser.open(`${home}refresh`)).text).toBe("Refreshed");
      expect(await browser.open(`${home}${signOut}`)).toMatchObject({
        url: home,
        text: expect.stringMatching(/^Signed out/),
      });
      expect(await isSignedIn(person)).toBe(false);
    },
  );

  test("oidc-client-ts in Chromium needs no setting of the operator: sign-in, refresh, sign-out", async () => {
    const application = await registerApplication(admin, "", { token_endpoint_auth_method: "none" });
    const { home, port, client } = application;
    const served = join(folder, "browser");
    const [bundle = "", serve = ""] = guideBlock(GUIDE, "sh bundle")
      .replace("https://auth.example.com", site.origin)
      .replace("…", client.id)
      .replace("8080", String(port))
      .replaceAll("npx esbuild", join(folder, "node_modules/.bin/esbuild"))
      .split("\n");
    execFileSync("sh", ["-c", bundle], { cwd: served });
    startProgram(["sh", "-c", `exec ${serve}`], served, {});
    await untilListening(home);
    const person = await namedUser(site);
    const reader = await Reader.at(site.origin);
    await reader.become(person.browser);
    const { page } = reader;
    const displays = (text: string) => page.locator("#user", { hasText: text }).waitFor();
    await page.goto(home);
    await displays("Signed out");
    await page.click("#sign-in");
    await page.getByRole("button", { name: "Allow" }).click();
    await displays(`Signed in as ${USER_NAME} <${person.email}>`);
    await page.click("#refresh");
    await displays(`Signed in as ${USER_NAME} <${person.email}>, refreshed`);
    expect(await isRefreshed(site, client)).toBe(true);
    await page.click("#sign-out");
    await displays("Signed out");
    expect(await isSignedIn(person)).toBe(false);
    await reader.close();
  });
});

/** docs/guides/sign-in-with-this-service.md from a copy of the sources to sign-out; part of `npm run test:guides`. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guideBlock } from "../../clients/demo/guide-code.ts";
import { freePort } from "../../db/embedded.ts";
import { copySources } from "../empty-machine/root.ts";
import { ApplicationBrowser } from "../support/application-browser.ts";
import { registered } from "../support/client.ts";
import { untilListening } from "../support/guide-programs.ts";
import { codeOf } from "../support/mfa.ts";
import { Browser } from "../support/oauth.ts";
import { Terminal } from "../support/terminal.ts";

const INSTALL_DEADLINE_MS = 300_000;
const NAME = "Ada Example";
/** A background job is a process group, which ends with the terminal. */
const JOBS = `set -m; trap 'for job in $(jobs -p); do kill -- -$job; done; wait' EXIT`;

const folder = mkdtempSync(join(tmpdir(), "identity-clone-"));
let origin = "";
let home = "";
let service: Terminal;
let terminal: Terminal;
let notes: Terminal;

beforeAll(async () => {
  // The embedded PostgreSQL runs as a different user.
  chmodSync(folder, 0o755);
  copySources(folder);
  const [port, notesPort] = [await freePort(), await freePort()];
  origin = `http://localhost:${port}`;
  home = `http://127.0.0.1:${notesPort}/`;
  service = new Terminal(folder, { ...npmSettings(), PORT: String(port) });
  terminal = new Terminal(folder, { ...npmSettings(), PORT: String(port) });
  const project = join(folder, ".data/notes");
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "package.json"), "{}");
  writeFileSync(join(project, "notes.mjs"), guideBlock("sign-in-with-this-service", "js"));
  notes = new Terminal(project, { ...npmSettings(), PORT: String(notesPort) });
  for (const each of [service, notes]) await each.enter(JOBS);
  await startIn(service, "start", {}, `${origin}/readyz`);
}, INSTALL_DEADLINE_MS);
afterAll(async () => {
  for (const each of [notes, terminal, service]) await each.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The environment of npm: cache, registry, proxy and authorities of this machine. */
function npmSettings(): Record<string, string> {
  const known = /^(?:HOME|npm_config_\w+|(?:https?|no)_proxy|NODE_EXTRA_CA_CERTS)$/i;
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => known.test(entry[0])),
  );
}

/** A block of the guide with the addresses of this test. */
function blockOf(name: string, replaced: Readonly<Record<string, string>> = {}): string {
  const addresses = { "http://localhost:3000": origin, "http://127.0.0.1:8080/": home, ...replaced };
  return Object.entries(addresses).reduce(
    (block, [from, to]) => block.replaceAll(from, to),
    guideBlock("sign-in-with-this-service", `sh ${name}`),
  );
}

/** Starts a block whose program serves until the end of the terminal. */
async function startIn(at: Terminal, name: string, replaced: Record<string, string>, url: string): Promise<void> {
  const started = await at.enter(`{\n${blockOf(name, replaced)}} &`);
  expect(started).toMatchObject({ code: 0 });
  await untilListening(url);
}

test("the commands register applications; the program signs a user in, refreshes and signs out", async () => {
  const person = await registered(origin, { display_name: NAME });
  expect(await terminal.enter(blockOf("admin", { "you@example.com": person.email }))).toMatchObject({ code: 0 });

  const { output } = await terminal.enter(blockOf("command"));
  const [, id = ""] = /^client_id: +(\S+)$/m.exec(output) ?? [];
  const [, secret = ""] = /^client_secret: (\S+)$/m.exec(output) ?? [];

  const { secret: seed } = (await person.client.post("/v1/auth/mfa/setup")).body;
  // The code of the last step leaves the present code for the step-up.
  expect((await person.client.post("/v1/auth/mfa/enable", { code: codeOf(seed, -1) })).status).toBe(200);
  expect((await person.client.post("/v1/auth/mfa/verify", { code: codeOf(seed) })).status).toBe(200);
  await terminal.enter(`ISSUER=${origin} TOKEN=${person.accessToken}`);
  const byApi = JSON.parse((await terminal.enter(blockOf("api"))).output);
  expect(byApi).toMatchObject({ client_id: expect.any(String), client_secret: expect.any(String) });

  await startIn(
    notes,
    "notes",
    { "CLIENT_ID=…": `CLIENT_ID=${id}`, "CLIENT_SECRET=…": `CLIENT_SECRET=${secret}` },
    home,
  );
  const pages = new Browser(origin);
  Object.assign(pages.client, { jar: person.client.jar });
  const browser = new ApplicationBrowser(origin, pages);
  const signedIn = `Signed in as ${NAME} <${person.email}>`;
  expect((await browser.open(`${home}sign-in`)).text).toBe(signedIn);
  expect((await browser.open(`${home}refresh`)).text).toBe(signedIn);
  expect((await browser.open(`${home}sign-out`)).text).toStartWith("Signed out");
});

/**
 * `npm run test:saml-idps`: the administrator of a company with a set-up link alone, in Chromium, with SimpleSAMLphp as
 * identity provider (G199). The administrator reads and presses what the pages name, in the order of the pages.
 * `JOURNEY_PICTURES=<folder>` keeps a picture of every page.
 */

import { beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { registered } from "../support/client.ts";
import { type DnsServer, startDnsServer } from "../support/dns-server.ts";
import { Reader } from "../support/pages.ts";
import { presentFactor, proveMailbox } from "../support/states.ts";
import { eventually } from "../support/waiting.ts";
import { arrivesAt } from "./company.ts";
import type { SamlProduct } from "./identity-provider.ts";
import { type Pair, startPair } from "./pair.ts";
import { startPhpProduct } from "./simplesamlphp.ts";
import { visit } from "./visitor.ts";

const GOAL_MS = 600_000;
/** The mean of adults who read silently (Brysbaert, 2019). Every new line of every page counts as read. */
const WORDS_A_MINUTE = 238;
/** A person who has read a page: finds and presses a button, or fills in a field. */
const ACTION_MS = 8_000;
const REPLICATED_MS = 5_000;
const PICTURES = process.env.JOURNEY_PICTURES;

let pair: Pair;
let dns: DnsServer;
let product: SamlProduct;
beforeAll(async () => {
  dns = await startDnsServer();
  [pair, product] = await Promise.all([startPair({ SERVICE_DNS_SERVERS: dns.address }), startPhpProduct()]);
});

/** A person at the pages: counts the words to read and the actions to take. */
class Administrator {
  readonly reader: Reader;
  actions = 0;
  words = 0;
  #pictures = 0;
  readonly #read = new Set<string>();

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** Reads the lines that no earlier page had. */
  async read(name: string): Promise<void> {
    const lines = (await this.reader.page.locator("main").innerText())
      .split("\n")
      .filter((line) => !this.#read.has(line));
    for (const line of lines) this.#read.add(line);
    this.words += lines.join(" ").split(/\s+/).length;
    this.#pictures += 1;
    if (!PICTURES) return;
    mkdirSync(PICTURES, { recursive: true });
    const path = join(PICTURES, `${String(this.#pictures).padStart(2, "0")}-${name}.png`);
    await this.reader.page.screenshot({ path, fullPage: true });
  }

  async press(name: string | RegExp): Promise<void> {
    this.actions += 1;
    await this.reader.press(name);
  }

  /** Opens the question of an action in its dialog. */
  async ask(name: string): Promise<void> {
    this.actions += 1;
    await this.reader.page.getByRole("link", { name }).first().click();
    await this.reader.page.locator("dialog[open]").waitFor();
  }

  /** Opens the step before or the next step. */
  async follow(name: string): Promise<void> {
    this.actions += 1;
    const link = this.reader.page.locator("main .actions").getByRole("link", { name, exact: true });
    await Promise.all([this.reader.page.waitForEvent("domcontentloaded"), link.click()]);
  }

  async fill(label: string | RegExp, value: string): Promise<void> {
    this.actions += 1;
    await this.reader.page.getByLabel(label).and(this.reader.page.locator(":visible")).first().fill(value);
  }

  /** Saves the open fold, below its fields. */
  async saveUserData(): Promise<void> {
    this.actions += 1;
    const button = this.reader.page.locator("details[open]").getByRole("button", { name: "Save" });
    await Promise.all([this.reader.page.waitForEvent("domcontentloaded"), button.click()]);
  }

  /** Presses the button that copies a named value, and returns the clipboard. */
  async copy(name: string | RegExp): Promise<string> {
    this.actions += 1;
    await this.reader.page.getByRole("button", { name }).first().click();
    return await this.reader.page.evaluate<string>("navigator.clipboard.readText()");
  }
}

async function host() {
  const owner = await registered(pair.origin);
  const { organizationId, userId } = owner;
  await presentFactor(pair.sql, userId);
  await proveMailbox(pair.sql, userId);
  await pair.sql`update organizations set name = 'Acme' where id = ${organizationId}`;
  const created = await owner.client.post(`/v1/orgs/${organizationId}/sso/setup-links`, {
    intents: ["domains", "connection"],
    email: `it-${userId}@acme.example`,
  });
  expect(created.status).toBe(201);
  const [row] = await pair.sql`select slug from organizations where id = ${organizationId}`;
  return { ...owner, slug: String(row?.slug), link: String(created.body.url) };
}

test("an administrator with a link alone reaches an active connection by the words of the pages", async () => {
  const { client, email: ownerEmail, organizationId, slug, link } = await host();
  const options = { ignoreHTTPSErrors: true, permissions: ["clipboard-read", "clipboard-write"] };
  const reader = await Reader.at(pair.origin, options);
  const it = new Administrator(reader);
  const startedAt = performance.now();
  await reader.page.goto(link);
  await it.read("invitation");
  await it.press("Begin");
  await it.read("tasks");

  await it.press(/Open: Verify domains/);
  await it.read("domains");
  await it.fill("Domain", product.email.slice(product.email.indexOf("@") + 1));
  await it.press("Add domain");
  await it.read("domain-added");
  dns.setTxt(await it.copy(/TXT record: Name/), await it.copy(/TXT record: Value/));
  await it.press(/Check now/);
  await it.read("domain-verified");
  await it.press("Back to the tasks");

  await it.press(/Open: Set up a connection/);
  await it.read("select-provider");
  it.actions += 1;
  await reader.page.getByLabel("Protocol").selectOption({ label: "SAML 2.0" });
  await it.press("Other identity provider");
  await it.read("console");
  const metadataOfService = await it.copy(/metadata of this service/);
  // The administrator loads the address at the identity provider: three actions there.
  it.actions += 3;
  await product.importService(await (await fetch(metadataOfService)).text(), false);
  await it.follow("Next");
  await it.read("values");
  await it.fill("Metadata URL", product.metadataUrl);
  await it.press("Preview changes");
  await it.read("metadata-changes");
  await it.press("Apply changes");
  await it.read("metadata-applied");
  await it.fill(/^E.?mail address/, "mail");
  await it.fill("Permanent ID of the user", "uid");
  await it.saveUserData();
  await it.read("user-data-saved");
  await it.press(/^Test connection$/);
  it.actions += 2;
  await reader.page.fill('[name="username"]', "student");
  await reader.page.fill('[name="password"]', "studentpass");
  await reader.page.locator("button[type=submit], input[type=submit], #submit_button").first().click();
  await reader.page.waitForURL((url) => url.origin === pair.origin && url.pathname === "/setup/connection");
  await it.read("tested");
  expect(await reader.page.locator("main").innerText()).toContain("The test passed.");
  await it.follow("Next");
  await it.read("activation");
  await it.press("Request activation");
  await it.read("requested");
  await it.press("Back to the tasks");
  await it.read("tasks-waiting");
  await it.press("Finish setup");
  await it.read("finished");

  const [mail] = await pair.mail.mailsTo(ownerEmail, /\/team\/single-sign-on\//);
  const page = /(\/team\/single-sign-on\/[\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
  const ownerReader = await Reader.at(pair.origin, options);
  await ownerReader.become({ client });
  const owner = new Administrator(ownerReader);
  await ownerReader.open(page);
  await owner.read("owner");
  await owner.ask("Activate");
  await owner.read("owner-asked");
  await owner.press("Activate");
  await owner.read("owner-activated");
  expect(await ownerReader.page.locator("main").innerText()).toContain("Connection activated.");
  const machineMs = performance.now() - startedAt;
  const words = it.words + owner.words;
  const actions = it.actions + owner.actions;
  const personMs = Math.round((words / WORDS_A_MINUTE) * 60_000 + actions * ACTION_MS);
  const figures = { machineMs: Math.round(machineMs), words, ofOwner: owner.words, actions, personMs };
  process.stdout.write(`journey of a set-up link: ${JSON.stringify(figures)}\n`);
  expect(personMs).toBeLessThan(GOAL_MS);

  const policy = await client.put(`/v1/orgs/${organizationId}/sso/policy`, { mode: "optional" });
  expect(policy.status).toBe(200);
  const employee = await visit("Chromium", pair.origin);
  await eventually("the replicas know the policy", REPLICATED_MS, async () => {
    await employee.open(`${pair.origin}/sso/${slug}?return_to=%2Fteam`);
    return await product.isAsking(employee);
  });
  await product.signIn(employee);
  await arrivesAt(pair, employee, "/team");
});

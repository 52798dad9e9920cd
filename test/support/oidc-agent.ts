/** oidc-agent in a terminal, by the blocks of docs/guides/sign-in-servers.md. */
import { expect } from "bun:test";
import { join } from "node:path";
import { guideBlock } from "../../clients/demo/guide-code.ts";
import { freePort } from "../../db/embedded.ts";
import { ApplicationBrowser } from "./application-browser.ts";
import type { Browser } from "./oauth.ts";
import type { PageSite } from "./pages.ts";
import { TEST_SECRET } from "./replica.ts";
import { redisUrl } from "./services.ts";
import { type Entered, Terminal } from "./terminal.ts";

const GUIDE = "sign-in-servers";
const ROOT = join(import.meta.dir, "../..");

export interface OidcAgent extends AsyncDisposable {
  /** The application that the command of the guide registered. */
  readonly client: { readonly id: string };
  /** Runs a block of the guide. */
  enter(name: string): Promise<Entered>;
  /** Ends the agent and starts a further agent. */
  restart(): Promise<void>;
  /** The user opens the printed address and allows the access; the redirect ends at the port of the agent. */
  signIn(browser: Browser): Promise<void>;
}

/** Registers the application and starts the agent in a terminal. `home` is an empty folder. */
export async function startOidcAgent(site: PageSite, home: string): Promise<OidcAgent> {
  const redirectUri = `http://localhost:${await freePort()}`;
  const terminal = new Terminal(ROOT, { HOME: home, TMPDIR: home, ...(await settingsOf(site)) });
  const blockOf = (name: string) =>
    guideBlock(GUIDE, `sh ${name}`)
      .replaceAll("https://auth.example.com", site.origin)
      .replaceAll("http://localhost:4242", redirectUri);
  const enter = (name: string) => terminal.enter(blockOf(name));
  const registered = await enter("register");
  expect(registered).toEqual({ code: 0, output: expect.stringContaining("client_id:") });
  const [, id = ""] = /^client_id: +(\S+)$/m.exec(registered.output) ?? [];
  // The agent ends with the terminal, also after a failure.
  await terminal.enter(`export CLIENT_ID=${id}\ntrap 'oidc-agent --kill' EXIT`);
  expect(await enter("start")).toMatchObject({ code: 0 });
  return {
    client: { id },
    enter,
    async restart() {
      await terminal.enter('eval "$(oidc-agent --kill)"');
      expect(await enter("start")).toMatchObject({ code: 0 });
    },
    async signIn(browser) {
      const { printed, finished } = terminal.start(blockOf("sign-in"));
      const [address] = await printed(/^http\S+\/oauth2\/authorize\?\S+$/m);
      const { url, status } = await new ApplicationBrowser(site.origin, browser).open(address);
      expect({ url, status }).toEqual({ url: expect.stringContaining(`${redirectUri}/?code=`), status: 200 });
      expect((await finished).output).toContain("Everything setup correctly!");
    },
    [Symbol.asyncDispose]: () => terminal.close(),
  };
}

/** The environment of the commands of the service. */
async function settingsOf({ databaseUrl, origin }: PageSite): Promise<Record<string, string>> {
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: await redisUrl(),
    SERVICE_PUBLIC_BASE_URL: origin,
    SERVICE_JWT_SECRET: TEST_SECRET,
  };
}

/** Programs of docs/guides in separate processes, and applications registered as a guide says. */
import { type ChildProcess, spawn } from "node:child_process";
import { freePort } from "../../db/embedded.ts";
import type { Client } from "./client.ts";
import { dieWithParent } from "./die-with-parent.ts";
import { personWithBrowser, registerClient, type TestClient } from "./oauth.ts";
import type { PageSite } from "./pages.ts";
import { until } from "./waiting.ts";

const running = new Set<ChildProcess>();

export function stopGuidePrograms(): void {
  for (const child of running) child.kill("SIGTERM");
}

/** Starts a program with an environment of its own; the output is part of the output of the test. */
export function startProgram(command: readonly string[], cwd: string, env: Record<string, string>): ChildProcess {
  const [program = "", ...args] = command;
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(...dieWithParent(program, args), {
    cwd,
    env: { PATH, HOME, ...env },
    // esbuild ends with the end of its input.
    stdio: ["pipe", "inherit", "inherit"],
  });
  running.add(child);
  return child;
}

export async function untilListening(url: string): Promise<void> {
  await until(`${url} has a response`, () =>
    fetch(url, { redirect: "manual" }).then(
      () => true,
      () => false,
    ),
  );
}

export interface Application {
  readonly home: string;
  readonly port: number;
  readonly client: TestClient;
}

/** Registers an application with the URIs of its section; users are asked for consent. */
export async function registerApplication(
  admin: Client,
  callbackPath: string,
  settings: Record<string, unknown> = {},
): Promise<Application> {
  const port = await freePort();
  const home = `http://127.0.0.1:${port}/`;
  const client = await registerClient(
    {
      name: "Notes",
      first_party: false,
      redirect_uris: [`${home}${callbackPath}`],
      post_logout_redirect_uris: [home],
      scopes: ["openid", "profile", "email"],
      resources: [],
      ...settings,
    },
    admin,
  );
  return { home, port, client };
}

/** The variables that every program of a guide reads. */
export function clientVariables({ origin }: PageSite, { id, secret }: TestClient): Record<string, string> {
  return { ISSUER: origin, CLIENT_ID: id, CLIENT_SECRET: secret, SECRET: "a secret of 32 characters or more" };
}

export const USER_NAME = "Ada Example";

/** A signed-in user with the name `USER_NAME`. */
export async function namedUser(site: PageSite) {
  const user = await personWithBrowser(site);
  const renamed = await user.client.patch("/v1/users/me", { display_name: USER_NAME });
  if (renamed.status !== 200) throw new Error(`the change of the name has the status ${renamed.status}`);
  return user;
}

/** Whether the session of a user exists. */
export async function isSignedIn({ client }: { readonly client: Client }): Promise<boolean> {
  return (await client.get("/v1/auth/session", { documented: false })).status === 200;
}

/** Whether the tokens of a client were refreshed. */
export async function isRefreshed({ sql }: Pick<PageSite, "sql">, { id }: Pick<TestClient, "id">): Promise<boolean> {
  const families = await sql`select 1 from oauth_token_families where client_id = ${id} and rotated_at > created_at`;
  return families.length > 0;
}

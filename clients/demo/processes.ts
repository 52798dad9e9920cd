/** Processes of the demos: the service in embedded mode with the users of `npm run seed`, and programs beside it. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";

export const ROOT = join(import.meta.dir, "../..");
/** The password of every user of `npm run seed`. */
export const PASSWORD = "correct horse battery staple";
const START_DEADLINE_MS = 120_000;

const children: ChildProcess[] = [];

/** The preferred port if the port is free on this machine, else any port. */
export async function portNear(preferred: number): Promise<number> {
  const tryPort = (port: number) =>
    new Promise<number | undefined>((resolve) => {
      const server = createServer();
      server.once("error", () => resolve(undefined));
      server.listen(port, "127.0.0.1", () => {
        const address = server.address();
        server.close(() => resolve(typeof address === "object" ? address?.port : undefined));
      });
    });
  return (await tryPort(preferred)) ?? (await tryPort(0)) ?? preferred;
}

/** Starts a process and resolves once the process has printed the `ready` pattern. */
export async function start(
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
  ready: RegExp,
): Promise<void> {
  const [program = "", ...rest] = args;
  const child = spawn(program, rest, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${args.join(" ")} is not ready:\n${said}`)), START_DEADLINE_MS);
    child.once("close", (code) => reject(new Error(`${args.join(" ")} ended with ${code}:\n${said}`)));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-10_000);
        if (!ready.test(said)) return;
        clearTimeout(late);
        resolve();
      });
    }
  });
}

/** Starts the service with its data in a folder; returns the environment for further commands. */
export async function startService(
  port: number,
  data: string,
  more: Record<string, string> = {},
): Promise<Record<string, string>> {
  const env = {
    NODE_ENV: "development",
    DATABASE_URL: "",
    REDIS_URL: "",
    PORT: String(port),
    SERVICE_DATA_DIRECTORY: data,
    SERVICE_PUBLIC_BASE_URL: "",
    ...more,
  };
  await start([process.execPath, "src/main.ts", "serve"], env, ROOT, /listening/);
  runService(["seed"], env);
  return env;
}

/** Runs a command of the service. */
export function runService(args: readonly string[], env: Record<string, string>): void {
  execFileSync(process.execPath, ["src/main.ts", ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
}

/** Compiles `identity-service-client`, which the programs of the guides import. */
export function buildClient(): void {
  execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", join(ROOT, "clients/js")]);
}

export function stop(): void {
  for (const child of children) {
    child.removeAllListeners("close");
    child.kill("SIGTERM");
  }
}

/** Runs a demo until Ctrl-C. */
export async function runDemo(run: () => Promise<void>): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      stop();
      process.exit(0);
    });
  }
  await run().catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    stop();
    process.exit(1);
  });
}

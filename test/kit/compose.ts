/**
 * The deployment of ops/compose.yaml without a container engine (G246): the processes of the file with their commands,
 * environment and order, under the names and addresses of the file, in a network namespace. `npm run test:kit` makes
 * the namespace (run.ts). Programs of Debian replace the images of third parties; the service runs from the sources,
 * and `npm run test:image` runs the image.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readImage } from "../ops/containerfile.ts";
import { envFile, type Manifest, OPS, ROOT, text, yaml } from "../ops/kit.ts";
import { Client, registered } from "../support/client.ts";
import { dieWithParent } from "../support/die-with-parent.ts";
import { runBlocks } from "../support/document-blocks.ts";
import { findProgram, installDebianPackages } from "../support/packages.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { eventually } from "../support/waiting.ts";

const START_DEADLINE_MS = 120_000;
/** The part of the network after which the addresses of services begin; the file gives the proxy number 2. */
const FIRST_ADDRESS = 10;
const LAUNCHER = join(ROOT, "node_modules/.bin/bun");

const compose: Manifest = yaml("compose.yaml");
const services: Record<string, Manifest> = compose.services;
const image = readImage();
/** The files that an operator copies and fills in. */
const stack: Record<string, string> = { ...envFile("stack.env.example"), ...filled("stack.env.example") };
const serviceEnv: Record<string, string> = envFile("service.env.example");
const SECRETS = "/run/secrets";
/** The folder in which the commands of ops/README.md make the secrets. */
const checkout = mkdtempSync(join(tmpdir(), "identity-compose-"));
const subnet = String(compose.networks.front.ipam.config[0].subnet).replace(/\.0\/\d+$/, "");

function filled(file: string): Record<string, string> {
  const empty = Object.entries(envFile(file)).filter(([, value]) => value === "");
  return Object.fromEntries(empty.map(([name]) => [name, `a${Buffer.from(name).toString("hex")}`]));
}

/** Replaces variables as Compose does: `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. */
function interpolate(value: string): string {
  return value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = "") => {
    const found = stack[name];
    if (found) return found;
    if (kind === "-") return rest;
    throw new Error(`compose.yaml needs ${name}: ${rest}`);
  });
}

const environmentOf = (service: Manifest): Record<string, string> =>
  Object.fromEntries(Object.entries<string>(service.environment).map(([name, value]) => [name, interpolate(value)]));

/** Returns the address of a service: the fixed address of the file, or the next free address of the network. */
const addressOf = (name: string): string =>
  services[name].networks?.front?.ipv4_address ?? `${subnet}.${FIRST_ADDRESS + Object.keys(services).indexOf(name)}`;

const children: ChildProcess[] = [];
const servers: Server[] = [];
const outputs = new Map<string, string>();

function start(name: string, program: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  const child = spawn(...dieWithParent(program, args), {
    cwd: ROOT,
    env: { PATH: `${process.env.PATH}`, HOME: "/nonexistent", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => outputs.set(name, (outputs.get(name) ?? "") + chunk));
  children.push(child);
  return child;
}

/** Gives every service its address and name. Connections to replicas come from the address of the proxy. */
function layOutNetwork(): void {
  if (Bun.which("ip") === null) installDebianPackages("iproute2");
  const ip = (...args: string[]) => execFileSync("ip", args);
  ip("link", "set", "lo", "up");
  const proxy = addressOf("proxy");
  for (const name of Object.keys(services)) {
    ip("addr", "add", `${addressOf(name)}/32`, "dev", "lo");
    appendFileSync("/etc/hosts", `${addressOf(name)} ${name}\n`);
  }
  for (const name of ["replica-one", "replica-two"])
    ip("route", "replace", "local", addressOf(name), "dev", "lo", "table", "local", "src", proxy);
}

/** Makes the secrets by the commands of ops/README.md, and mounts the files under the names of the service. */
async function mountSecrets(): Promise<void> {
  mkdirSync(join(checkout, "ops"));
  await runBlocks("ops/README.md", ["sh secrets"], { url: "", folder: checkout });
  mkdirSync(SECRETS, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "tmpfs", SECRETS]);
  for (const name of services["replica-one"].secrets)
    copyFileSync(join(checkout, "ops", compose.secrets[name].file), join(SECRETS, name));
}

/** Passes connections to `host`:`port` on to a server on loopback, because tests start PostgreSQL on a free port. */
async function relay(host: string, port: number, target: number): Promise<void> {
  const server = createServer((socket) => {
    const onward = connect(target, "127.0.0.1");
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) end.on("error", () => end.destroy());
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(port, host, listening));
}

/** PostgreSQL with the database and the roles that the entry point of the image creates. */
async function startPostgres(): Promise<void> {
  const { POSTGRES_DB, MIGRATION_PASSWORD, REPLICA_PASSWORD } = environmentOf(services.postgres);
  const admin = await freshDatabase("empty");
  const server = new URL(admin);
  await openSql(admin).unsafe(`create database ${POSTGRES_DB}`);
  server.pathname = `/${POSTGRES_DB}`;
  const passwords: Record<string, string | undefined> = {
    migration_password: MIGRATION_PASSWORD,
    replica_password: REPLICA_PASSWORD,
  };
  const roles = text("postgres/roles.sql").replace(/:'(\w+)'/g, (_, name) => `'${passwords[name]}'`);
  await openSql(server.href).unsafe(roles);
  await relay(addressOf("postgres"), 5432, Number(server.port));
}

function startRedis(): void {
  const [, ...args] = services.redis.command.map(interpolate);
  start("redis", findProgram("redis"), ["--bind", addressOf("redis"), ...args], environmentOf(services.redis));
}

const commandOf = (name: string): [string, Record<string, string>] => {
  const [command] = services[name].command;
  return [command, { ...image.env, ...serviceEnv, ...environmentOf(services[name]), HOST: addressOf(name) }];
};

/** The state of servers at the proxy: the file of the kit has no socket, so a second file adds a socket. */
const proxyFolder = mkdtempSync(join(tmpdir(), "identity-proxy-"));
const proxySocket = join(proxyFolder, "socket");
const proxyFile = join(proxyFolder, "haproxy.cfg");

/** Returns the lines of `show stat`, which HAProxy sends before the end of the connection. */
async function serversAtProxy(): Promise<readonly string[]> {
  let text = "";
  await new Promise<void>((resolve, reject) => {
    const socket = connect(proxySocket)
      .on("error", reject)
      .on("close", () => resolve());
    socket.on("data", (chunk) => (text += chunk));
    socket.write("show stat\n");
  });
  return text.split("\n").filter((line) => /^replicas,(?:one|two),/.test(line));
}

const proxyUrl = () => `http://${addressOf("proxy")}:8080`;

const isReady = async (name: string) =>
  (await fetch(`http://${addressOf(name)}:3000/readyz`).catch(() => undefined))?.status === 200;

beforeAll(async () => {
  layOutNetwork();
  await mountSecrets();
  await startPostgres();
  startRedis();
  const [migrateCommand, migrateEnv] = commandOf("migrate");
  const migration = start("migrate", LAUNCHER, ["src/main.ts", migrateCommand], migrateEnv);
  const code = await new Promise((ended) => migration.once("exit", ended));
  if (code !== 0) throw new Error(outputs.get("migrate"));
  for (const name of ["replica-one", "replica-two"]) {
    const [command, env] = commandOf(name);
    start(name, LAUNCHER, ["src/main.ts", command], env);
  }
  const proxyEnv = { ...environmentOf(services.proxy), BIND: `${addressOf("proxy")}:8080` };
  writeFileSync(proxyFile, `global\n  stats socket ${proxySocket}\n`);
  const files = ["-f", join(OPS, "haproxy.cfg"), "-f", proxyFile];
  start("proxy", findProgram("haproxy"), ["-q", "-db", ...files], proxyEnv);
  await eventually("both replicas are ready behind the proxy", START_DEADLINE_MS, async () => {
    const servers = await serversAtProxy().catch(() => []);
    const ready = await Promise.all(["replica-one", "replica-two"].map(isReady));
    return ready.every(Boolean) && servers.filter((line) => line.includes(",UP,")).length === 2;
  }).catch((error) => {
    throw new Error(`${error}\n${[...outputs].map(([name, output]) => `${name}: ${output}`).join("\n")}`);
  });
}, START_DEADLINE_MS);

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of [proxyFolder, checkout]) rmSync(folder, { recursive: true });
  for (const server of servers) server.close();
});

describe("the deployment of ops/compose.yaml", () => {
  test("Both replicas serve, with the roles of the database and the password of Redis.", async () => {
    const { client } = await registered(proxyUrl());
    for (const name of ["replica-one", "replica-two"])
      expect((await client.at(`http://${addressOf(name)}:3000`).get("/v1/auth/session")).status).toBe(200);
    const ready = await new Client(proxyUrl()).get("/readyz");
    expect(ready.body.status).toBe("ok");
  });

  test("The user of the image can read the secrets, and only the owner enters their folder.", () => {
    expect(statSync(join(checkout, "ops/secrets")).mode & 0o777).toBe(0o700);
    for (const { file } of Object.values<Manifest>(compose.secrets))
      expect(statSync(join(checkout, "ops", file)).mode & 0o777).toBe(0o444);
  });

  test("The replicas trust the proxy: a forged address of a client is not recorded.", async () => {
    const { client } = await registered(proxyUrl());
    const response = await client.get("/v1/auth/sessions", { headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(response.status).toBe(200);
    const [session] = response.body.items;
    expect(session.ip_address).not.toBe("203.0.113.9");
    expect(session.ip_address).not.toBe("");
  });

  test("The proxy refuses the metrics of replicas.", async () => {
    expect((await fetch(`${proxyUrl()}/metrics`)).status).toBe(404);
  });

  test(
    "A replica that drains ends with 0 while the second replica serves.",
    async () => {
      const { client } = await registered(proxyUrl());
      const replica = children.find(({ spawnargs }) => spawnargs.includes("serve"));
      const ended = new Promise((resolve) => replica?.once("exit", resolve));
      replica?.kill("SIGTERM");
      for (let request = 0; request < 20; request += 1) expect((await client.get("/v1/auth/session")).status).toBe(200);
      expect(await ended).toBe(0);
    },
    START_DEADLINE_MS,
  );
});

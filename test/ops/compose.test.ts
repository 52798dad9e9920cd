/** Static checks of ops/compose.yaml; `npm run test:kit` runs the processes of the file. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readImage } from "./containerfile.ts";
import { DRAIN_SECONDS, envFile, type Manifest, OPS, ROOT_SECRETS, text, yaml } from "./kit.ts";

const image = readImage();
const compose: Manifest = yaml("compose.yaml");

describe("ops/compose.yaml", () => {
  const services: Record<string, Manifest> = compose.services;

  test("runs a Redis without eviction, so no stranger displaces counters of guesses", () => {
    const { command } = services.redis as Manifest;
    expect(command[command.indexOf("--maxmemory-policy") + 1]).toBe("noeviction");
  });
  const ours = ["migrate", "replica-one", "replica-two"];

  test("replicas and migration: a read-only root, no capability, no new privileges, time to drain, no port", () => {
    for (const name of ours) {
      expect(services[name]).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      });
      expect(services[name].tmpfs.join()).toStartWith(`${image.env.SERVICE_SPOOL_DIRECTORY}:`);
      expect(Number.parseInt(services[name].stop_grace_period, 10)).toBeGreaterThan(DRAIN_SECONDS);
      expect(services[name].ports).toBeUndefined();
    }
  });

  test("The root secrets are files: each is mounted under its name, made by the README and ignored by git.", () => {
    const secrets = Object.keys(compose.secrets);
    for (const name of ours) {
      const { environment } = services[name];
      expect(services[name].secrets).toEqual(secrets);
      const files = ROOT_SECRETS.map((each) => environment[`${each}_FILE`]);
      expect(files).toEqual(secrets.map((each) => `/run/secrets/${each}`));
    }
    for (const name of ROOT_SECRETS) expect(name in envFile("service.env.example")).toBe(false);
    for (const name of secrets) {
      expect(compose.secrets[name]).toEqual({ file: `./secrets/${name}` });
      expect(text("README.md")).toContain(` > ops/secrets/${name} `);
    }
    expect(text(".gitignore").split("\n")).toContain("secrets/");
  });

  test("every further service drops all capabilities too, and only the machine itself reaches a port", () => {
    for (const [name, service] of Object.entries(services)) {
      expect([name, service.cap_drop, service.security_opt]).toEqual([name, ["ALL"], ["no-new-privileges:true"]]);
      for (const port of service.ports ?? []) expect(port).toStartWith("127.0.0.1:");
      if (!ours.includes(name)) expect(service.image).toMatch(/:v?\d/);
    }
  });

  test("replicas wait for the migration, the migration waits for PostgreSQL; replicas trust the proxy alone", () => {
    for (const name of ours.slice(1)) {
      expect(services[name].depends_on.migrate).toEqual({ condition: "service_completed_successfully" });
    }
    expect(services.migrate.depends_on.postgres).toEqual({ condition: "service_healthy" });
    expect(services["replica-one"].environment.SERVICE_TRUSTED_PROXIES).toBe(
      `${services.proxy.networks.front.ipv4_address}/32`,
    );
  });

  test("mounts existing files, and needs no variable beyond the example", () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes as string[]);
    const files = mounted.map((volume) => String(volume.split(":")[0])).filter((file) => file.startsWith("."));
    expect(files.filter((file) => !existsSync(join(OPS, file)))).toEqual([]);
    const needed = [...JSON.stringify(compose).matchAll(/\$\{(\w+)/g)].map(([, name]) => String(name));
    expect(needed.filter((name) => !(name in envFile("stack.env.example")))).toEqual([]);
  });
});

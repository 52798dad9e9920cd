/** Static checks of ops/scaled, the part of the kit for more than a single machine. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config/config.ts";
import { VARIABLES } from "../../src/config/variables.ts";
import { envFile, kubernetes, type Manifest, OPS, text, yaml } from "./kit.ts";

const compose: Manifest = yaml("scaled/compose.yaml");
const base: Manifest = yaml("compose.yaml");
const kustomization: Manifest = yaml("scaled/kubernetes/kustomization.yaml");
const SECRETS = { SERVICE_JWT_SECRET: "x".repeat(64), SERVICE_PUBLIC_BASE_URL: "https://id.example.com" };

test("compose: sets known variables, and the variables make a configuration", () => {
  const { environment } = compose["x-service"];
  expect(Object.keys(environment).filter((name) => !(name in VARIABLES))).toEqual([]);
  const filled = JSON.parse(JSON.stringify(environment).replaceAll(/\$\{\w+_PASSWORD[^}]*\}/g, "secret"));
  expect(loadConfig({ ...filled, ...SECRETS })).toMatchObject({
    ok: true,
    value: { database: { pooler: "transaction", readUrl: expect.stringContaining("identity_read") } },
  });
  const sentinels = new URL(filled.REDIS_URL.replace("redis+sentinel", "http").split(",")[0] ?? "").hostname;
  expect(Object.keys(compose.services)).toContain(sentinels);
});

test("compose: new services drop their capabilities, mount files that exist, and need no unknown variable", () => {
  for (const [name, service] of Object.entries<Manifest>(compose.services)) {
    if (name in base.services) continue;
    expect([name, service.cap_drop, service.security_opt]).toEqual([name, ["ALL"], ["no-new-privileges:true"]]);
    expect(service.image).toMatch(/:v?\d/);
    expect(service.ports).toBeUndefined();
  }
  const mounted = Object.values<Manifest>(compose.services).flatMap(({ volumes = [] }) => volumes as string[]);
  const files = mounted.map((volume) => String(volume.split(":")[0]));
  expect(files.filter((file) => !existsSync(join(OPS, file)))).toEqual([]);
  const needed = [...JSON.stringify(compose).matchAll(/\$\{(\w+)/g)].map(([, name]) => String(name));
  expect(needed.filter((name) => !(name in envFile("stack.env.example")))).toEqual([]);
});

test("Sentinel and Redis: one name everywhere, two of three agree, and no key is evicted", () => {
  const name = compose["x-service"].environment.REDIS_URL.split("/").at(-1).split("?")[0];
  expect(text("scaled/sentinel.conf")).toContain(`sentinel monitor ${name} redis 6379 2`);
  const { command } = compose.services["redis-replica"];
  expect(command[command.indexOf("--maxmemory-policy") + 1]).toBe("noeviction");
});

test("Kubernetes: patches existing objects, with known variables", () => {
  expect(kustomization.resources).toEqual(["../../kubernetes", "pgbouncer.yaml"]);
  const [settings] = kustomization.patches.map(({ patch }: Manifest) => Bun.YAML.parse(patch));
  expect(settings.metadata.name).toBe(kubernetes().get("ConfigMap").metadata.name);
  expect(Object.keys(settings.data).filter((name) => !(name in VARIABLES))).toEqual([]);
  expect(kustomization.patches[1].target.name).toBe(kubernetes().get("NetworkPolicy").metadata.name);
});

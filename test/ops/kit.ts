/** Reads the operations kit for the tests of the kit. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DRAIN_DEADLINE_MS, DRAIN_NOTICE_MAX_MS } from "../../src/limits/process-limits.ts";

export const ROOT = join(import.meta.dir, "../..");
export const OPS = join(ROOT, "ops");
export const DRAIN_SECONDS = (DRAIN_NOTICE_MAX_MS + DRAIN_DEADLINE_MS) / 1000;
/** The secrets that compose.yaml mounts as files, in the order of the file. */
export const ROOT_SECRETS = ["SERVICE_JWT_SECRET", "SERVICE_CONFIG_KEY", "SERVICE_AUDIT_EXPORT_KEY"] as const;

// biome-ignore lint/suspicious/noExplicitAny: many kinds; a missing member fails the test.
export type Manifest = any;

export const text = (file: string) => readFileSync(join(OPS, file), "utf8");
export const yaml = (file: string): Manifest => Bun.YAML.parse(text(file));

/** Returns the Kubernetes manifests by kind, except the kustomization and the Secret of the migration. */
export function kubernetes(): Map<string, Manifest> {
  const files = readdirSync(join(OPS, "kubernetes")).filter(
    (name) => !/^(?:kustomization|migration-secret\.example)\.yaml$/.test(name),
  );
  return new Map(files.map((name) => yaml(`kubernetes/${name}`)).map((manifest) => [manifest.kind, manifest]));
}

/** Parses an env file like Docker. */
export function envFile(file: string): Record<string, string> {
  const lines = text(file)
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

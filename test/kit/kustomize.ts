/**
 * Builds a kustomization as `kubectl kustomize` does, without kubectl: the features that ops/ uses are resources,
 * namespace, images, strategic merges of maps, and JSON patches (RFC 6902) with `add` and `replace`. Any other feature
 * throws an error, so that a manifest cannot pass unseen.
 */
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

// biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds; the schemas judge the result.
export type Manifest = any;

interface Patch {
  readonly patch: string;
  readonly target?: { readonly kind: string; readonly name: string };
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value: unknown;
}

interface ImageRule {
  readonly name: string;
  readonly newName: string;
  readonly newTag: string;
}

const KNOWN = new Set(["apiVersion", "kind", "namespace", "resources", "patches", "images"]);

/** Returns the manifests of a folder with a kustomization.yaml, or of a single file. */
export function kustomize(path: string): Manifest[] {
  if (statSync(path).isFile()) return documentsOf(path);
  const file = join(path, "kustomization.yaml");
  const [customization] = documentsOf(file);
  const unknown = Object.keys(customization).filter((key) => !KNOWN.has(key));
  if (unknown.length > 0) throw new Error(`${file}: unsupported ${unknown.join(", ")}`);
  const resources: string[] = customization.resources;
  const manifests = resources.flatMap((resource) => kustomize(join(dirname(file), resource)));
  for (const manifest of manifests) manifest.metadata.namespace = customization.namespace;
  for (const patch of customization.patches ?? []) applyPatch(manifests, patch, file);
  for (const rule of customization.images ?? []) for (const manifest of manifests) renameImages(manifest, rule);
  return manifests;
}

function documentsOf(file: string): Manifest[] {
  const parsed = Bun.YAML.parse(readFileSync(file, "utf8"));
  return Array.isArray(parsed) ? parsed : [parsed];
}

function applyPatch(manifests: readonly Manifest[], { patch, target }: Patch, file: string): void {
  const body = Bun.YAML.parse(patch) as Manifest;
  const { kind, name } = target ?? { kind: body.kind, name: body.metadata.name };
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found) throw new Error(`${file}: no ${kind} ${name} to patch`);
  if (Array.isArray(body)) for (const operation of body) applyOperation(found, operation, file);
  else merge(found, body, file);
}

function merge(into: Manifest, from: Manifest, file: string): void {
  for (const [key, value] of Object.entries(from)) {
    if (Array.isArray(value)) throw new Error(`${file}: a merge of the list ${key} depends on the schema`);
    if (value === null || typeof value !== "object") into[key] = value;
    else {
      into[key] ??= {};
      merge(into[key], value, file);
    }
  }
}

function applyOperation(manifest: Manifest, { op, path, value }: Operation, file: string): void {
  const keys = path.slice(1).split("/");
  const last = keys.pop() ?? "";
  const parent = keys.reduce((node, key) => node?.[key], manifest);
  if (parent === undefined) throw new Error(`${file}: no ${path}`);
  if (op === "add" && Array.isArray(parent) && last === "-") parent.push(value);
  else if (op === "replace" && last in parent) parent[last] = value;
  else throw new Error(`${file}: ${op} ${path} is not possible`);
}

function renameImages(manifest: Manifest, { name, newName, newTag }: ImageRule): void {
  for (const container of manifest.spec?.template?.spec?.containers ?? [])
    if (container.image === name) container.image = `${newName}:${newTag}`;
}

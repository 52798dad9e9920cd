/**
 * Removes the random parts of an image's configuration: node ops/normalize-image.mjs <folder of `buildah push dir:`>.
 * buildah records the ids of its containers and of intermediate images, so two builds of equal files would differ.
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
const blobOf = (digest) => join(folder, digest.replace("sha256:", ""));

const before = blobOf(manifest.config.digest);
const { container, container_config, parent, ...configuration } = JSON.parse(readFileSync(before, "utf8"));
const { Hostname, Labels, ...config } = configuration.config;
const history = configuration.history.map(({ comment, ...step }) => step);
const text = JSON.stringify({ ...configuration, config, history });
rmSync(before);

const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
writeFileSync(blobOf(digest), text);
manifest.config = { ...manifest.config, digest, size: Buffer.byteLength(text) };
writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));

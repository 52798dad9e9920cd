/**
 * A process, started for one picture: reads it from standard input, writes the avatar to standard output. Its exit code says how it
 * went (`PICTURE_REFUSED` in the protocol). It decodes what strangers send, so it holds no secret, and memory that runs out ends it alone.
 */

import { dlopen, ptr } from "bun:ffi";
import { readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import type { Sharp } from "sharp";
import { PICTURE_REFUSED, type PictureJob } from "../src/pool/protocol.ts";

/** PNG, JPEG, WebP, GIF and AVIF, told by content (docs/contract.md, Account). AVIF is HEIF with AV1 inside. */
const FORMATS = new Set(["png", "jpeg", "webp", "gif", "heif"]);
/** How often memory is looked at where the kernel does not bound it. */
const WATCH_MS = 5;
/** getrlimit(2): the same numbers on Linux and macOS. */
const RLIMIT_CPU = 0;
const RLIMIT_FSIZE = 1;
const RLIMIT_DATA = 2;
const RLIMIT_CORE = 4;

const job: PictureJob = JSON.parse(process.argv[2] ?? "");
const { default: sharp } = await import("sharp");
// No other decoder is reachable, whatever the bytes claim to be: SVG, PDF, TIFF and the rest are code that nobody needs here.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Png", "Jpeg", "Webp", "Nsgif", "Heif"].map((format) => `VipsForeignLoad${format}Buffer`),
});
sharp.concurrency(1);
sharp.cache(false);
const bytes = readFileSync(0);
// From here on the picture is to blame for whatever fails.
process.on("uncaughtException", err);
setTimeout(err, job.deadlineMs).unref();
boundMemory();
const avatar = await encode().catch(err);
writeFileSync(1, avatar);
process.exit(0);

/** WebP, a square, upright, without metadata. What is none, is broken or has too many pixels is refused. */
async function encode(): Promise<Buffer> {
  const source = sharp(bytes, { limitInputPixels: job.pixelsMax, failOn: "warning", sequentialRead: true });
  if (!(await isAdmissible(source))) err();
  return await source.autoOrient().resize(job.sidePixels, job.sidePixels, { fit: "cover" }).webp().toBuffer();
}

/** Told from the header, before anything is decoded. */
async function isAdmissible(source: Sharp): Promise<boolean> {
  const { format, compression, width, height } = await source.metadata();
  if (!FORMATS.has(format)) return false;
  return format !== "heif" || (compression === "av1" && width * height <= job.avifPixelsMax);
}

function err(): never {
  process.exit(PICTURE_REFUSED);
}

/**
 * The kernel refuses memory beyond the budget, and a decoder that gets none fails or aborts. RLIMIT_DATA, since a JavaScript
 * engine reserves far more addresses (RLIMIT_AS) than it uses; on top of what is mapped now, for the same reason. No file is written
 * either: a temporary file may be memory too. Where limits cannot be had (macOS, a sandbox), the process looks at its resident memory and
 * ends itself, which may come some 20 MiB late.
 */
function boundMemory(): void {
  setPriority(job.niceIncrement);
  setInterval(watchMemory, WATCH_MS, process.memoryUsage.rss() + job.memoryBytes).unref();
  preferForKill();
  try {
    const limit = openLimits();
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_CPU, Math.ceil(job.deadlineMs / 1000) * 2);
    limit(RLIMIT_DATA, mappedData() + job.memoryBytes);
  } catch {
    // The watch has to do.
  }
}

/** Where all memory of the container is used up nevertheless, the kernel ends this process and not the service. */
function preferForKill(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Not Linux, or not allowed.
  }
}

/** setrlimit(2), of which no runtime has a binding. */
function openLimits(): (resource: number, value: number) => void {
  const { symbols } = dlopen(process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6", {
    setrlimit: { args: ["i32", "ptr"], returns: "i32" },
  });
  return (resource, value) => {
    symbols.setrlimit(resource, ptr(new BigUint64Array([BigInt(value), BigInt(value)])));
  };
}

/** Private writable memory that is mapped now, which is what RLIMIT_DATA bounds (proc_pid_status(5), VmData). */
function mappedData(): number {
  const kib = /^VmData:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  if (kib === undefined) throw new Error("no VmData");
  return Number(kib) * 1024;
}

function watchMemory(mostBytes: number): void {
  if (process.memoryUsage.rss() > mostBytes) err();
}

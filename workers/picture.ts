/**
 * A process that decodes one picture: standard input to standard output, `PICTURE_REFUSED` as exit code for a
 * refusal. The input is untrusted, so the process holds no secret, and exhausted memory ends only this process (G39).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import type { Sharp } from "sharp";
import { openSetrlimit } from "../src/base/runtime.ts";
import { PICTURE_REFUSED, type PictureJob } from "../src/pool/protocol.ts";

/** Interval of the memory check, for systems where the kernel does not enforce the limit. */
const WATCH_MS = 5;
/** getrlimit(2): identical numbers on Linux and macOS. */
const RLIMIT_CPU = 0;
const RLIMIT_FSIZE = 1;
const RLIMIT_DATA = 2;
const RLIMIT_CORE = 4;

const job: PictureJob = JSON.parse(process.argv[2] ?? "");
const { default: sharp } = await import("sharp");
// All other decoders (SVG, PDF, TIFF, …) are blocked, regardless of the format claimed by the bytes.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Png", "Jpeg", "Webp", "Nsgif", "Heif"].map((format) => `VipsForeignLoad${format}Buffer`),
});
sharp.concurrency(1);
sharp.cache(false);
const bytes = readFileSync(0);
// From here on every failure is caused by the picture.
process.on("uncaughtException", refuse);
setTimeout(refuse, job.deadlineMs).unref();
await boundMemory();
const picture = await encode().catch(refuse);
writeFileSync(1, picture);
process.exit(0);

/**
 * Returns an upright picture without metadata, in the form of the job. Refuses corrupt pictures and pictures with too
 * many pixels.
 */
async function encode(): Promise<Buffer> {
  // Cameras write JPEG files with faults that every browser corrects, and that the decoder reports as warnings.
  const source = sharp(bytes, { limitInputPixels: job.pixelsMax, failOn: "error", sequentialRead: true });
  if (!(await isAdmissible(source))) refuse();
  const { width, height, fit, format } = job.form;
  // A small logo stays small: an enlargement adds bytes without detail.
  const resized = source.autoOrient().resize(width, height, { fit, withoutEnlargement: fit === "inside" });
  return await resized.toFormat(format).toBuffer();
}

/** Checks the format, by content, and the size in the header, before anything is decoded. */
async function isAdmissible(source: Sharp): Promise<boolean> {
  const { format, compression, width, height } = await source.metadata();
  if (!job.formats.some((each) => each === format)) return false;
  return format !== "heif" || (compression === "av1" && width * height <= job.avifPixelsMax);
}

function refuse(): never {
  process.exit(PICTURE_REFUSED);
}

/**
 * Makes the kernel refuse memory beyond the budget, so a decoder fails or aborts. Uses RLIMIT_DATA, because a
 * JavaScript engine reserves far more address space (RLIMIT_AS) than the used memory, and adds the budget to the
 * currently mapped memory. Where the limit is unavailable (macOS, a sandbox), the process checks its resident memory
 * and ends itself; the excess can reach about 20 MiB. The function also forbids files: a temporary file may be memory
 * too.
 */
async function boundMemory(): Promise<void> {
  // A service that was started with a larger nice value may not lower the value without privileges.
  setPriority(Math.max(job.niceIncrement, getPriority()));
  setInterval(watchMemory, WATCH_MS, process.memoryUsage.rss() + job.memoryBytes).unref();
  preferForKill();
  try {
    const limit = await openSetrlimit();
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_CPU, Math.ceil(job.deadlineMs / 1000) * 2);
    limit(RLIMIT_DATA, mappedData() + job.memoryBytes);
  } catch {
    // The memory check applies instead.
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

/** The currently mapped private writable memory, as RLIMIT_DATA counts it (VmData in proc_pid_status(5)). */
function mappedData(): number {
  const kib = /^VmData:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  if (kib === undefined) throw new Error("no VmData");
  return Number(kib) * 1024;
}

function watchMemory(maxBytes: number): void {
  if (process.memoryUsage.rss() > maxBytes) refuse();
}

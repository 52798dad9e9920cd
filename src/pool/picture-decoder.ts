import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { BARE_RUNTIME_ENVIRONMENT, commandOf } from "../base/runtime.ts";
import {
  AVATAR_AVIF_PIXELS_MAX,
  AVATAR_DECODE_DEADLINE_MS,
  AVATAR_DECODE_MEMORY_BYTES,
  AVATAR_PIXELS_MAX,
  AVATAR_SIDE_PIXELS,
  AVATAR_WAIT_DEADLINE_MS,
  AVATARS_DECODING_MAX,
  AVATARS_WAITING_MAX,
} from "../limits/avatar-limits.ts";
import { LOGO_HEIGHT_PIXELS, LOGO_PIXELS_MAX, LOGO_WIDTH_PIXELS } from "../limits/brand-limits.ts";
import { fairQueue } from "./fair-queue.ts";
import { PICTURE_REFUSED, type PictureJob, type PoolRefusal } from "./protocol.ts";

/**
 * Decodes untrusted pictures in one process per picture (workers/picture.ts): exhausted memory ends the process and not
 * the service (G39). A process takes about 40 ms to start; no process is reused, so no state passes from a picture to
 * the next.
 */
export interface PictureDecoder {
  /** Pictures with different fairness keys take turns. Rejects when no process can be started. */
  decode(bytes: Uint8Array, fairnessKey: string, purpose: PicturePurpose): Promise<PictureResult>;
}

export type PicturePurpose = "avatar" | "logo";

export type PictureResult =
  | { readonly ok: true; readonly picture: Buffer }
  | { readonly ok: false; readonly code: "not_a_picture" | Exclude<PoolRefusal, "worker_died"> };

const WORKER = fileURLToPath(new URL("../../workers/picture.ts", import.meta.url));
/** The process ends at its own deadline; a decoder with a blocked event loop is killed at this deadline. */
const KILL_AFTER_MS = 2 * AVATAR_DECODE_DEADLINE_MS;
const NICE_INCREMENT = 10;

const BOUNDS = {
  avifPixelsMax: AVATAR_AVIF_PIXELS_MAX,
  memoryBytes: AVATAR_DECODE_MEMORY_BYTES,
  deadlineMs: AVATAR_DECODE_DEADLINE_MS,
  niceIncrement: NICE_INCREMENT,
};

const JOBS: Readonly<Record<PicturePurpose, PictureJob>> = {
  avatar: {
    ...BOUNDS,
    formats: ["png", "jpeg", "webp", "gif", "heif"],
    form: { width: AVATAR_SIDE_PIXELS, height: AVATAR_SIDE_PIXELS, fit: "cover", format: "webp" },
    pixelsMax: AVATAR_PIXELS_MAX,
  },
  logo: {
    ...BOUNDS,
    formats: ["png", "jpeg", "webp"],
    form: { width: LOGO_WIDTH_PIXELS, height: LOGO_HEIGHT_PIXELS, fit: "inside", format: "png" },
    pixelsMax: LOGO_PIXELS_MAX,
  },
};

/** An upper bound, above the raw pixels: an encoded picture is far smaller. */
const PIXEL_BYTES_MAX = 5;

/** The environment of the service is not passed: the decoder receives no secret. */
const ENVIRONMENT = {
  // One malloc arena: each further arena retains freed memory.
  MALLOC_ARENA_MAX: "1",
  // Beyond 100 MB libvips would continue in a temporary file; with this limit the decoder fails instead.
  VIPS_DISC_THRESHOLD: "1g",
  // A failed allocation aborts the process, which is expected and not a crash of the runtime.
  ...BARE_RUNTIME_ENVIRONMENT,
};

interface WaitingPicture {
  readonly start: () => void;
  readonly refuse: (code: "queue_full" | "deadline") => void;
}

export function pictureDecoder(): PictureDecoder {
  const queue = fairQueue<WaitingPicture>(AVATARS_WAITING_MAX);
  let running = 0;

  /** Resolves when the picture has a slot, or with the reason for the refusal. */
  function acquireSlot(fairnessKey: string): Promise<"acquired" | "queue_full" | "deadline"> {
    if (running < AVATARS_DECODING_MAX) {
      running += 1;
      return Promise.resolve("acquired");
    }
    return new Promise((resolve) => {
      const giveUp = () => {
        queue.remove(fairnessKey, waiting);
        resolve("deadline");
      };
      const timer = setTimeout(giveUp, AVATAR_WAIT_DEADLINE_MS);
      const end = (outcome: "acquired" | "queue_full" | "deadline") => {
        clearTimeout(timer);
        resolve(outcome);
      };
      const waiting: WaitingPicture = { start: () => end("acquired"), refuse: end };
      queue.offer(fairnessKey, waiting)?.refuse("queue_full");
    });
  }

  /** Passes the slot to the next waiting picture, if any. */
  function releaseSlot(): void {
    const next = queue.next();
    if (next) next.start();
    else running -= 1;
  }

  return {
    async decode(bytes, fairnessKey, purpose) {
      const slot = await acquireSlot(fairnessKey);
      if (slot !== "acquired") return { ok: false, code: slot };
      try {
        return await runDecoder(bytes, JOBS[purpose]);
      } finally {
        releaseSlot();
      }
    },
  };
}

function runDecoder(bytes: Uint8Array, job: PictureJob): Promise<PictureResult> {
  const [program, ...args] = commandOf(WORKER, JSON.stringify(job));
  const options = {
    // The directory of the service is not used: the runtime would load its .env file.
    cwd: "/",
    env: ENVIRONMENT,
    encoding: "buffer",
    timeout: KILL_AFTER_MS,
    killSignal: "SIGKILL",
    maxBuffer: PIXEL_BYTES_MAX * job.form.width * job.form.height,
  } as const;
  return new Promise((resolve, reject) => {
    const decoder = execFile(program, args, options, (error, picture) => {
      if (!error) return resolve({ ok: true, picture });
      // A signal means out of memory or out of time. Any other code is a defect of the decoder, not of the picture.
      if (error.code === PICTURE_REFUSED || error.signal) return resolve({ ok: false, code: "not_a_picture" });
      reject(new Error(`the picture decoder ended with ${error.code}`, { cause: error }));
    });
    // A decoder that refused may have ended before the end of the input.
    decoder.stdin?.on("error", () => undefined).end(bytes);
  });
}

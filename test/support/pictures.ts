/**
 * Single-colour pictures of many megapixels, stored in `pictures/`, because encoding is more expensive than the
 * decoding in the service. A missing file is encoded again and written.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";

const FOLDER = join(import.meta.dir, "pictures");
/** 39.9 megapixels lie within the limit of all formats except AVIF. */
const SIDE = 6320;

/** Width and height in pixels. */
export function plain(width = SIDE, height = width): Sharp {
  return sharp({ create: { width, height, channels: 3, background: "red" } });
}

/** Returns the stored picture of a name. */
export function kept(name: string, encode: () => Promise<Buffer>): () => Promise<Buffer> {
  const file = join(FOLDER, `${name}.zst`);
  return async () => {
    if (!existsSync(file)) {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(file, Bun.zstdCompressSync(await encode(), { level: 19 }));
    }
    return Bun.zstdDecompressSync(readFileSync(file));
  };
}

/** The picture has 400 frames; a reader of the first frame still reads the headers of all frames. */
function animation(): Sharp {
  return sharp(Buffer.alloc(500 * 500 * 3 * 400), {
    raw: { width: 500, height: 500 * 400, channels: 3, pageHeight: 500 },
    limitInputPixels: false,
  });
}

/**
 * Returns an AVIF whose container claims 64 by 64 while the AV1 frame has 16 megapixels: the property `ispe` is
 * overwritten.
 */
async function lyingAvif(): Promise<Buffer> {
  const avif = await plain(4000).avif(FULL_COLOUR).toBuffer();
  const at = avif.indexOf("ispe");
  avif.writeUInt32BE(64, at + 8);
  avif.writeUInt32BE(64, at + 12);
  return avif;
}

const FULL_COLOUR = { effort: 0, chromaSubsampling: "4:4:4" } as const;
const PROGRESSIVE_JPEG = { progressive: true, chromaSubsampling: "4:4:4" } as const;

/** An AVIF of 4 megapixels. */
export const avif4 = kept("avif-4", () => plain(2000).avif(FULL_COLOUR).toBuffer());

export const HOSTILE: [string, () => Promise<Buffer>][] = [
  ["AVIF of 40 megapixels, 4:4:4", kept("avif-40", () => plain().avif(FULL_COLOUR).toBuffer())],
  ["AVIF that claims to be small", kept("avif-lying", lyingAvif)],
  ["progressive JPEG, 4:4:4", kept("jpeg-progressive-40", () => plain().jpeg(PROGRESSIVE_JPEG).toBuffer())],
  ["interlaced PNG", kept("png-interlaced-40", () => plain().png({ progressive: true }).toBuffer())],
  ["interlaced PNG, 16 bits", kept("png-interlaced-16-bits-40", deepPng)],
  ["lossless WebP", kept("webp-lossless-40", () => plain().webp({ lossless: true, effort: 0 }).toBuffer())],
  ["GIF of 40 megapixels", kept("gif-40", () => plain().gif({ effort: 1 }).toBuffer())],
];

export const ANIMATED: [string, () => Promise<Buffer>][] = [
  ["gif", kept("gif-animated", () => animation().gif({ effort: 1 }).toBuffer())],
  ["webp", kept("webp-animated", () => animation().webp({ effort: 0 }).toBuffer())],
];

export const HONEST: [string, () => Promise<Buffer>][] = [
  ["AVIF of 4 megapixels", avif4],
  ["JPEG of 40 megapixels", kept("jpeg-40", () => plain().jpeg().toBuffer())],
  ["PNG of 40 megapixels", kept("png-40", () => plain().png().toBuffer())],
  [
    "progressive JPEG of 24 megapixels",
    kept("jpeg-progressive-24", () => plain(6000, 4000).jpeg({ progressive: true }).toBuffer()),
  ],
  [
    "interlaced PNG of 12 megapixels",
    kept("png-interlaced-12", () => plain(4000, 3000).png({ progressive: true }).toBuffer()),
  ],
  ["PNG of nearly 5 MiB", () => plain(1_280, 1_270).png({ compressionLevel: 0 }).toBuffer()],
  ["WebP of 12 megapixels", kept("webp-12", () => plain(4000, 3000).webp({ effort: 0 }).toBuffer())],
];

function deepPng(): Promise<Buffer> {
  return plain().toColourspace("rgb16").png({ progressive: true }).toBuffer();
}

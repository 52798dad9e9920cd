import sharp from "sharp";
import { AVATAR_DECODE_DEADLINE_SECONDS, AVATAR_PIXELS_MAX, AVATAR_SIDE_PIXELS } from "../../base/limits.ts";

// No other decoder is reachable, whatever the bytes claim to be: SVG, PDF, TIFF and the rest are code that nobody needs here.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Png", "Jpeg", "Webp", "Nsgif", "Heif"].map((format) => `VipsForeignLoad${format}Buffer`),
});
// Pictures are rare and requests are not: a picture takes one thread, and keeps nothing.
sharp.concurrency(1);
sharp.cache(false);

/** PNG, JPEG, WebP, GIF and AVIF, told by content (decisions, section 6). AVIF is HEIF with AV1 inside. */
const FORMATS = new Set(["png", "jpeg", "webp", "gif", "heif"]);

/**
 * The picture as it is served: WebP, 256 by 256, upright, without metadata. `undefined` for what is none, is broken, has more than
 * 40 megapixels (told from its header, before anything is decoded) or takes too long.
 */
export async function encodeAvatar(bytes: Uint8Array): Promise<Buffer | undefined> {
  try {
    const source = sharp(bytes, { limitInputPixels: AVATAR_PIXELS_MAX, failOn: "warning", sequentialRead: true });
    const { format, compression } = await source.metadata();
    if (!FORMATS.has(format) || (format === "heif" && compression !== "av1")) return undefined;
    return await source
      .autoOrient()
      .resize(AVATAR_SIDE_PIXELS, AVATAR_SIDE_PIXELS, { fit: "cover" })
      .webp()
      .timeout({ seconds: AVATAR_DECODE_DEADLINE_SECONDS })
      .toBuffer();
  } catch {
    return undefined;
  }
}

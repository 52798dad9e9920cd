/** Bounds of avatars (docs/contract.md, section 12.9). */

export const AVATAR_BYTES_MAX = 5 * 1024 * 1024;
export const AVATAR_PIXELS_MAX = 40_000_000;
/** libvips decodes AV1 in one piece, at about 20 bytes a pixel. */
export const AVATAR_AVIF_PIXELS_MAX = 4_000_000;
export const AVATAR_SIDE_PIXELS = 256;
export const AVATAR_DECODE_DEADLINE_MS = 5_000;
/**
 * Memory for decoding a picture in addition to the process (55 MiB, most of it shared with the service). An AVIF of 4
 * megapixels takes 100 MiB. Two pictures at once would exceed the 200 MiB of G20, so pictures are decoded in sequence.
 */
export const AVATAR_DECODE_MEMORY_BYTES = 128 * 1024 * 1024;
export const AVATARS_DECODING_MAX = 1;
export const AVATARS_WAITING_MAX = 32;
export const AVATAR_WAIT_DEADLINE_MS = 20_000;
/** Unreferenced pictures are kept this long: an upload stores the picture before the user refers to it. */
export const AVATAR_ORPHAN_RETENTION_MS = 24 * 3600 * 1000;
export const PICTURE_STORE_DEADLINE_MS = 5_000;
export const UPLOAD_READ_DEADLINE_MS = 30_000;
/** Boundaries and headers of the multipart body around the file. */
export const MULTIPART_OVERHEAD_BYTES = 64 * 1024;

/** Pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The largest size within `place` that keeps the proportions of the picture. */
export function fittedSize(picture: PictureSize, place: PictureSize): PictureSize {
  const scale = Math.min(place.width / picture.width, place.height / picture.height);
  const scaled = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: scaled(picture.width), height: scaled(picture.height) };
}

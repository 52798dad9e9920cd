/**
 * The QR code of a text as a `data:` URL of an SVG. The first call loads the library, so that the start does not wait
 * for the library.
 */
export async function qrCodeUrl(text: string, options: { readonly margin?: number } = {}): Promise<string> {
  const { toString: draw } = await import("qrcode");
  const svg = await draw(text, { type: "svg", ...options });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

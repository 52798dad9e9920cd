/** The QR code of a text as a `data:` URL of an SVG. The first one loads the library, so that no start waits for it. */
export async function qrCodeUrl(text: string, options: { readonly margin?: number } = {}): Promise<string> {
  const { toString: draw } = await import("qrcode");
  const svg = await draw(text, { type: "svg", ...options });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

/** The icon of a brand without a logo, as an address that contains the picture: the icon needs no request. */

/** The keyhole of `icons/favicon.ico` on a square with the fill of the brand, against which white has contrast. */
export function brandIcon(fill: string): string {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 18 18'><rect width='18' height='18' rx='4' \
fill='${fill}'/><path fill='#fff' d='M9 4a2.75 2.75 0 0 1 1.6 5l.9 5h-5l.9-5A2.75 2.75 0 0 1 9 4z'/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

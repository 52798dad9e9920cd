/** Stroke icons of 20 px. An icon is decorative: the text beside the icon carries the meaning. */

const PATHS = {
  account: "M10 3.25a3.25 3.25 0 1 1 0 6.5 3.25 3.25 0 0 1 0-6.5zM3.75 17c.5-3.2 3-5 6.25-5s5.75 1.8 6.25 5",
  building: "M4 17V4c0-.6.4-1 1-1h7c.6 0 1 .4 1 1v13M13 8h2c.6 0 1 .4 1 1v8M2.5 17h15M7 6.5h3M7 10h3M7 13.5h3",
  clock: "M10 2.75a7.25 7.25 0 1 1 0 14.5 7.25 7.25 0 0 1 0-14.5zM10 5.75V10l2.75 1.75",
  globe:
    "M10 2.75a7.25 7.25 0 1 1 0 14.5 7.25 7.25 0 0 1 0-14.5zM2.75 10h14.5M10 2.75c4 4 4 10.5 0 14.5-4-4-4-10.5 0-14.5",
  laptop: "M5.5 4h9c.8 0 1.5.7 1.5 1.5V13H4V5.5c0-.8.7-1.5 1.5-1.5zM2.5 16h15",
  phone: "M7 2.5h6c.8 0 1.5.7 1.5 1.5v12c0 .8-.7 1.5-1.5 1.5H7c-.8 0-1.5-.7-1.5-1.5V4c0-.8.7-1.5 1.5-1.5zM9 15h2",
  key: "M12.75 2.75a4.5 4.5 0 1 1-1.6 8.7L9.5 13H8v1.75H6.25V16.5H3v-2.75l5.55-5.1a4.5 4.5 0 0 1 4.2-5.9zM13.5 6.5h.01",
  mail: "M4.75 4.5h10.5a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H4.75a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM3.5 6.25l6.5 5 6.5-5",
  plug: "M7 3v4M13 3v4M5 7h10v2.5a5 5 0 0 1-10 0zM10 14.5V17",
  shield: "M10 2.5 16 4.7v4.8c0 3.8-2.4 6.5-6 8-3.6-1.5-6-4.2-6-8V4.7zM7.5 9.8l1.9 1.9 3.3-3.6",
  external: "M8 4.5H5A1.5 1.5 0 0 0 3.5 6v9A1.5 1.5 0 0 0 5 16.5h9a1.5 1.5 0 0 0 1.5-1.5v-3M11.5 3.5h5v5M16.5 3.5l-7 7",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

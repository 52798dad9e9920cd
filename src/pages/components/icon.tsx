/** Stroke icons of 20 px. An icon is decorative: the text beside the icon carries the meaning. */

const PATHS = {
  account: "M10 3.25a3.25 3.25 0 1 1 0 6.5 3.25 3.25 0 0 1 0-6.5zM3.75 17c.5-3.2 3-5 6.25-5s5.75 1.8 6.25 5",
  apps: "M6 3h8a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3zM3 7.75h14M6 5.4h.01M8.5 5.4h.01",
  audit: "M8 5h8.5M8 10h8.5M8 15h8.5M3.9 5h.01M3.9 10h.01M3.9 15h.01",
  badge: "M5 3h10q2 0 2 2v10q0 2-2 2H5q-2 0-2-2V5q0-2 2-2zM10 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM6 14q4-4 8 0",
  blocks: "M3 3h5.5v5.5H3zM3 11.5h5.5V17H3zM11.5 11.5H17V17h-5.5zM14.25 2.25 17.75 5.75 14.25 9.25 10.75 5.75z",
  building: "M4 17V4c0-.6.4-1 1-1h7c.6 0 1 .4 1 1v13M13 8h2c.6 0 1 .4 1 1v8M2.5 17h15M7 6.5h3M7 10h3M7 13.5h3",
  check: "m4 10.5 4 4 8-9",
  chevron: "m7.5 4.5 5.5 5.5-5.5 5.5",
  clock: "M10 2.75a7.25 7.25 0 1 1 0 14.5 7.25 7.25 0 0 1 0-14.5zM10 5.75V10l2.75 1.75",
  close: "m5 5 10 10M15 5 5 15",
  code: "m7 5.5-4.5 4.5L7 14.5M13 5.5l4.5 4.5-4.5 4.5",
  copy: "M7 8.5A1.5 1.5 0 0 1 8.5 7h6A1.5 1.5 0 0 1 16 8.5v6a1.5 1.5 0 0 1-1.5 1.5h-6A1.5 1.5 0 0 1 7 14.5zM13 4H4v9",
  dots: "M4.25 10h.5M9.75 10h.5M15.25 10h.5",
  download: "M10 3.5v9M6.25 9.25 10 13l3.75-3.75M4 16.5h12",
  external: "M8 4.5H4.5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h10a1 1 0 0 0 1-1V12M11.5 3.5h5v5M16.5 3.5l-7 7",
  eye: "M2.5 10C6 3 14 3 17.5 10 14 17 6 17 2.5 10zM10 7.75a2.25 2.25 0 1 1 0 4.5 2.25 2.25 0 0 1 0-4.5z",
  flag: "M4.5 17.5v-14M4.5 4c4-1.9 6.8 1.7 11 0v7.5c-4.2 1.7-7-1.9-11 0",
  globe:
    "M10 2.75a7.25 7.25 0 1 1 0 14.5 7.25 7.25 0 0 1 0-14.5zM2.75 10h14.5M10 2.75c4 4 4 10.5 0 14.5-4-4-4-10.5 0-14.5",
  grid: "M7.5 3h5v5h-5zM2.5 12h5v5h-5zM12.5 12h5v5h-5zM10 8v2M5 12v-2h10v2",
  key: "M12.75 2.75a4.5 4.5 0 1 1-1.6 8.7L9.5 13H8v1.75H6.25V16.5H3v-2.75l5.55-5.1a4.5 4.5 0 0 1 4.2-5.9zM13.5 6.5h.01",
  laptop: "M5.5 4h9c.8 0 1.5.7 1.5 1.5V13H4V5.5c0-.8.7-1.5 1.5-1.5zM2.5 16h15",
  mail: "M4.75 4.5h10.5a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H4.75a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM3.5 6.25l6.5 5 6.5-5",
  menu: "M3.5 5.5h13M3.5 10h13M3.5 14.5h13",
  overview: "M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z",
  passkey:
    "M3.6 7.3a7 7 0 0 1 13.2 2.2M4.6 14.2q.9-2 .9-4.7a4.5 4.5 0 0 1 9 0c0 2.4-.2 4.3-.8 6M10 9.5c0 3-.3 5-1.3 7.5",
  phone: "M7 2.5h6c.8 0 1.5.7 1.5 1.5v12c0 .8-.7 1.5-1.5 1.5H7c-.8 0-1.5-.7-1.5-1.5V4c0-.8.7-1.5 1.5-1.5zM9 15h2",
  plug: "M7 3v4M13 3v4M5 7h10v2.5a5 5 0 0 1-10 0zM10 14.5V17",
  plus: "M10 4v12M4 10h12",
  print:
    "M6 7V3h8v4M6 14H4.5A1.5 1.5 0 0 1 3 12.5v-4A1.5 1.5 0 0 1 4.5 7h11A1.5 1.5 0 0 1 17 8.5v5.5h-3M6 11.5h8V17H6z",
  search: "M9 3.75a5.25 5.25 0 1 1 0 10.5 5.25 5.25 0 0 1 0-10.5zM13 13l4 4",
  shield: "M10 2.5 16 4.7v4.8c0 3.8-2.4 6.5-6 8-3.6-1.5-6-4.2-6-8V4.7zM7.5 9.8l1.9 1.9 3.3-3.6",
  signOut: "M8 3.5H5.5A1.5 1.5 0 0 0 4 5v10a1.5 1.5 0 0 0 1.5 1.5H8M12.5 6.5 16 10l-3.5 3.5M16 10H8",
  trash: "M3.5 5.5h13M7.75 5.5v-2h4.5v2M5.25 5.5 6 16.5h8l.75-11M8.5 8.5v5M11.5 8.5v5",
  updown: "M6.5 7.5 10 4l3.5 3.5M6.5 12.5 10 16l3.5-3.5",
  users: "M7.5 4a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4zM2.5 16.5c.6-6 9.4-6 10 0M13 4.2q3 2.5 0 5M14.5 12q3 1 3 4.5",
  warning: "M10 3.5 2.5 16.5h15zM10 8.25v3.5M10 14.1v.01",
  webhook: "M11 2.5 4.5 11.5H10l-1 6 6.5-9H10z",
} as const;

export type IconName = keyof typeof PATHS;

interface IconProps {
  readonly name: IconName;
  readonly small?: boolean;
  /** The icon points along the reading direction, and is mirrored where text runs from right to left. */
  readonly directed?: boolean;
}

export function Icon({ name, small, directed }: IconProps) {
  const kind = ["icon", small && "s", directed && "directed"].filter(Boolean).join(" ");
  return (
    <svg class={kind} viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The icon before a row. */
export function Tile({ name }: { readonly name: IconName }) {
  return (
    <span class="tile" aria-hidden="true">
      <Icon name={name} />
    </span>
  );
}

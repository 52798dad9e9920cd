/**
 * What a preset demands beyond the settings (docs/contract.md, section 15.6): one file of the folder `presets` for each
 * preset with particulars. A preset without particulars is a data file alone.
 */
import { bitbucket } from "./presets/bitbucket.ts";
import { dropbox } from "./presets/dropbox.ts";
import { kakao } from "./presets/kakao.ts";
import { line } from "./presets/line.ts";
import { notion } from "./presets/notion.ts";
import type { Particulars } from "./presets/particular.ts";
import { paypal } from "./presets/paypal.ts";
import { twitch } from "./presets/twitch.ts";
import { x } from "./presets/x.ts";
import { zoom } from "./presets/zoom.ts";

const BY_PRESET: Readonly<Record<string, Particulars>> = {
  bitbucket,
  dropbox,
  kakao,
  line,
  notion,
  paypal,
  twitch,
  x,
  zoom,
};

const NONE: Particulars = {};

export function particularsOf(preset: string): Particulars {
  return Object.hasOwn(BY_PRESET, preset) ? (BY_PRESET[preset] ?? NONE) : NONE;
}

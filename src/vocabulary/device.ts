/**
 * Browsers and systems that emails and pages name. The set is closed: a User-Agent is text of the client's choice and
 * could hold a link or an instruction (G92). The first match counts, because later ones imitate earlier ones.
 */
const BROWSERS = [
  ["Edge", /\bEdg(?:A|iOS)?\//],
  ["Opera", /\bOP(?:R|T|X)\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
] as const;
const SYSTEMS = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
] as const;

/** A browser and an operating system. A type alias, because values of email templates need an index signature. */
export type Device = {
  /** Null: not one of `BROWSERS`. */
  readonly browser: (typeof BROWSERS)[number][0] | null;
  /** Null: not one of `SYSTEMS`. */
  readonly system: (typeof SYSTEMS)[number][0] | null;
};

export const BROWSER_NAMES = BROWSERS.map(([name]) => name);
export const SYSTEM_NAMES = SYSTEMS.map(([name]) => name);

/** Names of all browsers and systems that `detectDevice` returns. */
export const DEVICE_NAMES: readonly string[] = [...BROWSER_NAMES, ...SYSTEM_NAMES];

/** Detects browser and system of a User-Agent. The request guard has cut it to `USER_AGENT_MAX_CHARACTERS`. */
export function detectDevice(userAgent: string | null): Device {
  const text = userAgent ?? "";
  return {
    browser: BROWSERS.find(([, pattern]) => pattern.test(text))?.[0] ?? null,
    system: SYSTEMS.find(([, pattern]) => pattern.test(text))?.[0] ?? null,
  };
}

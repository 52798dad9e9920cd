import { detectDevice } from "../../vocabulary/device.ts";
import type { Texts } from "../texts/catalogue.ts";
import { useView } from "../view.tsx";

/** Returns a function that names the device of a User-Agent in the language of the page: "Firefox on Linux". */
export function useDevice(): (userAgent: string | null) => string {
  const { t } = useView();
  return (userAgent) => deviceName(t, userAgent);
}

export function deviceName(t: Texts, userAgent: string | null): string {
  const { browser, system } = detectDevice(userAgent);
  const name = browser ?? t.security.unknownBrowser;
  return system ? t.security.browserOn({ browser: name, system }) : name;
}

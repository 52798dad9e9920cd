import { deviceOf } from "../devices.ts";
import { useView } from "../view.tsx";

/** Says a User-Agent as people do: "Firefox on Linux". */
export function useDevice(): (userAgent: string | null) => string {
  const { t } = useView();
  return (userAgent) => {
    const { browser = t.security.unknownBrowser, system } = deviceOf(userAgent);
    return system ? t.security.browserOn(browser, system) : browser;
  };
}

import type { BrowserSignals } from "../../models/passkey/ceremony.ts";

/** The data of the island `passkey-signals`. */
export function PasskeySignals({ signals }: { readonly signals: BrowserSignals | undefined }) {
  return signals ? <div hidden data-passkey-signals={JSON.stringify(signals)} /> : null;
}

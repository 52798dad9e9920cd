import type { Deps } from "../../../deps.ts";
import { type Device, detectDevice } from "../../../vocabulary/device.ts";
import type { Location } from "../../../vocabulary/location.ts";

/** Where a session or a trusted browser was used, for display only. */
export interface Origin {
  readonly device: Device;
  /** Null: unknown place, or no geolocation file. */
  readonly location: Location | null;
}

/** Adds device and place to an item of a list. Both derive from stored values at every read. */
export function withOrigin<Item extends { readonly userAgent: string | null; readonly lastIpAddress: string | null }>(
  { geolocation }: Pick<Deps, "geolocation">,
  item: Item,
): Item & Origin {
  return { ...item, device: detectDevice(item.userAgent), location: geolocation.locate(item.lastIpAddress) };
}

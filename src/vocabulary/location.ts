/** The place of an address, from the operator's geolocation file: an estimate, never an input of a decision. */
export interface Location {
  /** ISO 3166-1 alpha-2, such as `AT`. */
  readonly country: string | null;
  /** The English name. */
  readonly city: string | null;
}

/** "Vienna, AT"; undefined for an unknown place. */
export function locationText(location: Location | null): string | undefined {
  return [location?.city, location?.country].filter(Boolean).join(", ") || undefined;
}

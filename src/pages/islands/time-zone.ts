/** Selects the zone of the browser in the form of an account without a time zone; the user decides by Save. */
const zones = document.querySelector<HTMLSelectElement>("select[data-time-zone]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

// A zone that the list does not contain would empty the field.
if (zones && [...zones.options].some(({ value }) => value === zone)) zones.value = zone;

export {};

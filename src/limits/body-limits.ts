/** Bounds of large request bodies, forms and uploads (docs/contract.md, section 20.1). */

/** The largest form that a page reads from an anonymous client. A larger body needs a slot (`pool/body-slots.ts`). */
export const SMALL_BODY_MAX_BYTES = 16 * 1024;
export const FORM_FIELDS_MAX = 256;
/** The name and a decoded value of a field of a form with large values, both encoded. A longer field is left out. */
export const FORM_NAME_MAX_BYTES = 128;
export const FORM_TEXT_MAX_BYTES = 18 * 1024;
/** Parts of a multipart body. All parts before the file fit into `SMALL_BODY_MAX_BYTES`. */
export const UPLOAD_PARTS_MAX = 8;
/** RFC 2046, section 5.1.1. */
export const BOUNDARY_MAX_CHARACTERS = 70;

/**
 * Slots of one replica. Admission is fair by lane, so up to twice the number are in use (`pool/admission-control.ts`).
 * The first stage ends within milliseconds, when the caller is known; meanwhile Bun holds up to 1.5 MiB of a body.
 */
export const UNIDENTIFIED_BODIES_MAX = 8;
export const ANONYMOUS_BODIES_MAX = 4;
/** Anonymous requests that wait for a slot; Bun holds the body of each. */
export const WAITING_BODIES_MAX = 16;
/** A longer wait ends with 429. */
export const BODY_TURN_DEADLINE_MS = 1_000;
/** An upload of 5 MiB holds about 10 MiB until the picture is decoded. */
export const CALLER_BODIES_MAX = 3;
export const BODY_SLOT_RETRY_AFTER_SECONDS = 1;

/**
 * Responses that a replica sends while a browser is still sending the form: the connection stays open within these
 * bounds, because a browser that is cut off shows an error in place of the response.
 */
export const LINGERING_RESPONSES_MAX = 2;
export const LINGERING_BODY_MAX_BYTES = 32 * 1024 * 1024;
export const LINGERING_DEADLINE_MS = 10_000;

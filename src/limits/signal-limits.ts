/** Bounds of event streams (docs/contract.md, chapter 27), as in `limits.ts`. Their events have those of webhooks. */

/** Of a service account. */
export const STREAMS_MAX = 5;
export const STREAM_EVENTS_REQUESTED_MAX = 50;
export const STREAM_EVENT_URI_MAX_CHARACTERS = 256;
export const STREAM_DESCRIPTION_MAX_CHARACTERS = 500;
export const STREAM_REASON_MAX_CHARACTERS = 500;
/** The Authorization header that a receiver asks for. */
export const STREAM_HEADER_MAX_CHARACTERS = 2_000;
export const STREAM_STATE_MAX_CHARACTERS = 500;
/** Between two verifications that a receiver asks for. */
export const STREAM_VERIFICATION_INTERVAL_SECONDS = 30;
/** Events in one answer to a poll, also the default: each is signed for it. */
export const STREAM_POLL_EVENTS_MAX = 50;
/** Acknowledgements and errors in one poll. */
export const STREAM_POLL_OUTCOMES_MAX = 500;
/** How long a poll that found nothing waits for events. */
export const STREAM_POLL_WAIT_MS = 20_000;
/** Waiting polls on one replica; what comes beyond them is answered at once. */
export const STREAM_POLLS_WAITING_MAX = 200;
/** Of one organization, or of the platform, so that none takes the places of the others. */
export const STREAM_POLLS_WAITING_EACH_MAX = 50;
export const STREAM_POLL_LOOK_MS = 1_000;
export const STREAM_ERROR_MAX_CHARACTERS = 1_000;

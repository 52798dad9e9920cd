/** Bounds of event streams (docs/contract.md, chapter 27). Events of streams have the bounds of webhooks. */

/** Streams of a service account. */
export const STREAMS_MAX = 5;
export const STREAM_EVENTS_REQUESTED_MAX = 50;
export const STREAM_EVENT_URI_MAX_CHARACTERS = 256;
export const STREAM_DESCRIPTION_MAX_CHARACTERS = 500;
export const STREAM_REASON_MAX_CHARACTERS = 500;
/** The Authorization header requested by a receiver. */
export const STREAM_HEADER_MAX_CHARACTERS = 2_000;
export const STREAM_STATE_MAX_CHARACTERS = 500;
/** Interval between two verifications requested by a receiver. */
export const STREAM_VERIFICATION_INTERVAL_SECONDS = 30;
/** Events in a response to a poll, also the default: every event is signed for the response. */
export const STREAM_POLL_EVENTS_MAX = 50;
/** Acknowledgements and errors in a poll. */
export const STREAM_POLL_OUTCOMES_MAX = 500;
/** How long a poll without events waits for events. */
export const STREAM_POLL_WAIT_MS = 20_000;
/** Waiting polls on a replica; further polls get a response at once. */
export const STREAM_POLLS_WAITING_MAX = 200;
/** Waiting polls of an organization, or of the platform, so that no organization takes all slots. */
export const STREAM_POLLS_WAITING_EACH_MAX = 50;
export const STREAM_POLL_LOOK_MS = 1_000;
export const STREAM_ERROR_MAX_CHARACTERS = 1_000;

import type { Reply } from "../http/reply.ts";

/** `result`: the result of a form, which the next page displays once (`seeResult`). */
export interface PageReply extends Reply {
  readonly result?: string;
  /** A redirect to a page that stays for some minutes: a second press of the form leads there too (presses.ts). */
  readonly lasts?: true;
}

/** After a POST: the browser gets the next page by GET (RFC 9110, section 15.4.4). */
export function seeOther(location: string, cookies: readonly string[] = []): Reply {
  return { status: 303, headers: { location }, cookies };
}

/** After a POST with a result that the next page displays. */
export function seeResult(location: string, result: string, cookies: readonly string[] = []): PageReply {
  return { ...seeOther(location, cookies), result };
}

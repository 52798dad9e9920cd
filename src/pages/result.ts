import type { Config } from "../config/config.ts";
import type { Reply } from "../http/reply.ts";
import { pathOf } from "./addresses.ts";
import { clearedResultCookie, resultCookie } from "./cookies.ts";
import type { PageReply } from "./page-reply.ts";

/** A result travels in a cookie, and the page that displays the result deletes the cookie. */
export function withResultCookie(
  config: Config,
  { request, result: displayed }: { readonly request: Request; readonly result: string },
  page: PageReply,
): Reply {
  const { result, lasts: _, ...reply } = page;
  const { cookies, headers, status } = reply;
  if (result) return { ...reply, cookies: [...cookies, resultCookie(config, headers.location ?? "/", result)] };
  // Only a page without a refusal displays the result.
  if (!displayed || status !== 200) return reply;
  return { ...reply, cookies: [...cookies, clearedResultCookie(config, pathOf(request))] };
}

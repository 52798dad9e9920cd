import { type Refusal, refusal } from "../base/problem.ts";
import { err, type Result } from "../base/result.ts";
import { isInForeignFrame } from "../http/fetch-metadata.ts";
import type { Reply } from "../http/reply.ts";

const FRAMED = refusal("forbidden", "Pages are not displayed within a page of another origin.");

/**
 * Refuses a page to a frame of another origin. Redirects go on: a silent request passes several pages. The policy keeps
 * browsers from displaying a page there; the refusal also keeps the content out of the frame.
 */
export function withoutFrames<Page extends Reply>(
  { servesFrames = false }: { readonly servesFrames?: boolean },
  request: Request,
  outcome: Result<Page, Refusal>,
): Result<Page, Refusal> {
  const isPage = outcome.ok && outcome.value.status === 200;
  return isPage && !servesFrames && isInForeignFrame(request) ? err(FRAMED) : outcome;
}

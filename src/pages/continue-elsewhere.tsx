import { Stage, StageHead } from "./components/layout.tsx";
import { showPage } from "./html.tsx";
import type { View } from "./view.tsx";

interface Destination {
  readonly title: string;
  /** The reason, if the title does not say so. */
  readonly lead?: string;
  /** The text of the link. */
  readonly action: string;
  /** At another origin. */
  readonly url: string;
  readonly cookies?: readonly string[];
}

/**
 * Continues to another origin by a page: `form-action` blocks a redirect to another origin after a form (Content
 * Security Policy Level 3, section 6.4.3.1).
 */
export function continueElsewhere(view: View, { title, lead, action, url, cookies = [] }: Destination) {
  const body = (
    <Stage>
      <StageHead title={title} icon="plug" />
      {lead && <p>{lead}</p>}
      <a class="button primary wide" href={url} rel="noreferrer">
        {action}
      </a>
    </Stage>
  );
  return showPage(view, { title, body, headers: { refresh: `0; url=${url}` }, cookies, once: true });
}

/** The pages of links in emails. A GET consumes nothing: mail scanners follow links. */
import { createHash } from "node:crypto";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { Config } from "../../config/config.ts";
import type { Reply } from "../../http/reply.ts";
import { Button, Form } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { clearedLinkCookie, linkCookie, linkToken } from "../cookies.ts";
import type { DisplayedParts } from "../html.tsx";
import { type PageCall, seeOther } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { type SiteDeps, useView } from "../view.tsx";

/** A form without the cookie of its link. */
export const NO_LINK = refusal("authentication_required", "The link has expired or was used.");
const LINK_REFUSED = 401;
/** A form of a link that differs from the current link of the browser. */
export const ANOTHER_LINK = refusal("conflict", "Another link was opened since this form was displayed.");
const LINK_FIELD = "link";
const LINK_NAME_CHARACTERS = 16;

/**
 * Moves the token of a mailed link from the address into a cookie of this page: the token then appears in no history,
 * no Referer and no screenshot. Undefined if the address contains no token.
 */
export function takeToken(site: SiteDeps, path: string, { query }: PageCall): Reply | undefined {
  if (!query.has("token")) return undefined;
  return seeOther(path, [linkCookie(site.config, path, query.text("token"))]);
}

/** Identifies a link without its token. The token is random, so digits of its hash do not reveal the token. */
function nameOf(token: string): string {
  return createHash("sha256").update(token).digest("hex").slice(0, LINK_NAME_CHARACTERS);
}

/**
 * The hidden field of a form of a mailed link. The browser has one cookie for all links to a page, so the form names
 * the displayed link (G80).
 */
export function LinkField({ token }: { readonly token: string | undefined }) {
  return token ? <input type="hidden" name={LINK_FIELD} value={nameOf(token)} /> : null;
}

/**
 * Whether the browser opened another link to the page after the form was displayed. A form of an earlier release has no
 * such field.
 */
export function isOfAnotherLink({ form, cookies }: Pick<PageCall, "form" | "cookies">): boolean {
  const token = linkToken(cookies);
  return token !== undefined && form.has(LINK_FIELD) && form.text(LINK_FIELD) !== nameOf(token);
}

interface DeadLinkProps {
  readonly text: string;
  readonly action: string;
  readonly href: string;
  /** The action is a form with this step. */
  readonly step?: string | undefined;
}

/** The page of an expired or used link, with the next step. */
export function DeadLink({ text, action, href, step }: DeadLinkProps) {
  const { t } = useView();
  return (
    <Stage>
      <StageHead title={t.link.dead} icon="clock" />
      <p>{text}</p>
      {step ? (
        <Form action={href}>
          <Button kind="primary" wide name="step" value={step}>
            {action}
          </Button>
        </Form>
      ) : (
        <a class="button primary wide" href={href}>
          {action}
        </a>
      )}
    </Stage>
  );
}

/**
 * The reply parts of the page of a dead link: the cookie is deleted. All refusals of a link have one status, for every
 * cause.
 */
export function deadParts(config: Config, path: string, refused: Refusal | undefined): DisplayedParts {
  const cookies = [clearedLinkCookie(config, path)];
  return refused ? { ...refusedParts(refused), status: LINK_REFUSED, cookies } : { cookies };
}

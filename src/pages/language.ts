import { invalidInput } from "../base/invalid-input.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { updateOwnProfile } from "../flows/users/profile.ts";
import { localeIn } from "../http/client-locale.ts";
import { EMAIL_MAX_CHARACTERS } from "../limits/account-limits.ts";
import { LANGUAGES } from "../vocabulary/languages.ts";
import { chosenLanguageCookie, languageCookie } from "./cookies.ts";
import { refusedPage } from "./error.tsx";
import { fieldsOf } from "./fields.ts";
import { type Page, type PageCall, pathWith, publicPage, seeResult } from "./page.ts";
import { HOME, localPath, refererPath, returnTo } from "./return-to.ts";
import { isAddress } from "./sign-in/address.ts";
import { hintCookie, LANGUAGE_CHANGED } from "./sign-in/address-hint.ts";
import { anonymousView, type SignedInUserDeps } from "./signed-in-user.ts";
import type { SiteDeps } from "./view.tsx";

const PATH = "/language";
const NO_SUCH_LANGUAGE = invalidInput("language", "not_allowed", `one of ${LANGUAGES.join(", ")}`);

/** `/language`: changes the language of the browser and of a signed-in user, and returns to the page of the form. */
export function languagePage(deps: SignedInUserDeps & StoreDeps & Pick<Deps, "config">): Page {
  return publicPage({
    path: PATH,
    continues: true,
    resumeAt: addressWithPage,
    async post(call) {
      const { caller, client, form, request } = call;
      const language = LANGUAGES.find((each) => each === form.text("language"));
      if (!language) return refusedPage(await anonymousView(deps, call), NO_SUCH_LANGUAGE);
      const locale = localeIn(language, request);
      if (caller) {
        const saved = await updateOwnProfile(deps, { caller: caller.session, locale, client });
        if (!saved.ok) return refusedPage(await anonymousView(deps, call), saved.error);
      }
      const page = pageOf(call);
      const cookies = [chosenLanguageCookie(deps.config, language), languageCookie(deps.config, "")];
      return seeResult(page, LANGUAGE_CHANGED, [...cookies, ...typedAddress(deps, call, page)]);
    },
  });
}

/** The sign-in page displays the step of the typed address again, with the cookie of an address from an application. */
function typedAddress(deps: SiteDeps, { form }: PageCall, page: string): string[] {
  const email = form.text("email");
  if (!isAddress(email) || email.length > EMAIL_MAX_CHARACTERS) return [];
  return [hintCookie(deps, email, returnTo(fieldsOf(new URL(page, deps.config.urls.publicBaseUrl).searchParams)))];
}

/** The form is sent to this address again after the continuation of a session, whose redirect drops the `Referer`. */
function addressWithPage(request: Request): string {
  return pathWith(PATH, { return_to: refererPath(request) });
}

/**
 * The page with the form: a page sends its address to this origin (`Page` in html.tsx), and a page of a refusal is
 * rendered once for all addresses. Without a local address: the account.
 */
function pageOf({ query, request }: PageCall): string {
  return localPath(query.text("return_to")) ?? refererPath(request) ?? HOME;
}

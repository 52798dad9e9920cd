/** Addresses that browsers, phones and password managers request by convention. */
import { assetReply } from "./assets.ts";
import { type Page, publicPage, seeOther } from "./page.ts";
import type { SiteDeps } from "./view.tsx";

/** The address has no hash, so a changed logo appears after a day. */
const CACHING = "public, max-age=86400";

/** `/favicon.ico`: the logo, else a default icon. */
export function faviconPage({ assets }: SiteDeps): Page {
  return publicPage({
    path: "/favicon.ico",
    unsampled: true,
    get: ({ request }) => assetReply(assets.favicon, request, CACHING),
  });
}

/** `/apple-touch-icon.png`: the icon on the home screen of a phone. */
export function touchIconPage({ assets }: SiteDeps): Page {
  return publicPage({
    path: "/apple-touch-icon.png",
    unsampled: true,
    get: ({ request }) => assetReply(assets.touchIcon, request, CACHING),
  });
}

/** `/.well-known/change-password`: the form for password managers (W3C, A Well-Known URL for Changing Passwords). */
export const changePasswordPage = publicPage({
  path: "/.well-known/change-password",
  get: () => seeOther("/account/password"),
});

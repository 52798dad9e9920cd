import { assetReply, emailLogoReply } from "./assets.ts";
import { refusalShower } from "./error.tsx";
import { NOTHING_THERE, type Page, publicPage } from "./page.ts";
import type { SiteDeps } from "./view.tsx";

/** `/assets/:file`: the files that pages and emails load. */
export function assetsPage(site: SiteDeps): Page {
  const show = refusalShower(site);
  return publicPage({
    path: "/assets/:file",
    unsampled: true,
    async get({ params, request, client }) {
      const logo = await site.assets.emailLogo(`/assets/${params.file}`);
      if (logo) return emailLogoReply(logo);
      const asset = site.assets.find(params.file ?? "");
      return asset ? assetReply(asset, request) : show(NOTHING_THERE, request, client.requestId ?? "");
    },
  });
}

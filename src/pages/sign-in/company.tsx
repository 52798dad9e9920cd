import { signInPath, startPath } from "../../flows/sso/connections/urls.ts";
import { findOrganizationRoute } from "../../flows/sso/discovery/find-organization-route.ts";
import type { RoutingDeps, SsoRoute } from "../../flows/sso/discovery/route-address.ts";
import { brandedView } from "../branded-view.ts";
import { Icon } from "../components/icon.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { NOTHING_THERE, type Page, pathWith, publicPage, seeOther } from "../page.ts";
import { carried, returnTo } from "../return-to.ts";
import { showBeforeReturn, type WaitingPageDeps } from "../shared/waiting-application.ts";
import { type SiteDeps, useView, viewOf } from "../view.tsx";

type PageDeps = Pick<RoutingDeps, "clock" | "ssoDirectory"> & SiteDeps & WaitingPageDeps;

/**
 * `/sso/:slug`: the sign-in of an organization, for bookmarks and tiles of identity providers. One connection starts at
 * once; several connections are a choice by name.
 */
export function companySignInPage(deps: PageDeps): Page {
  return publicPage({
    path: "/sso/:slug",
    async get(call) {
      const { params, query, client } = call;
      const view = viewOf(deps, client);
      const route = findOrganizationRoute(deps, params.slug ?? "");
      if (!route) return refusedPage(view, NOTHING_THERE);
      const to = returnTo(query);
      const { organizationId } = route;
      if (route.connections.length === 1) return seeOther(signInPath(deps, route, to));
      const branded = await brandedView(deps, view, { organizationId });
      return await showBeforeReturn(deps, call, { view: branded, to }, (displayed) =>
        showPage(displayed, {
          title: displayed.t.companySignIn.chooseTitle,
          body: <ChoiceBody route={route} to={to} />,
        }),
      );
    },
  });
}

function ChoiceBody({ route, to }: { readonly route: SsoRoute; readonly to: string }) {
  const { t, site } = useView();
  return (
    <Stage after={<a href={pathWith("/sign-in", { return_to: carried(to) })}>{t.companySignIn.otherWays}</a>}>
      <StageHead title={t.companySignIn.chooseTitle} />
      <p>{t.companySignIn.chooseLead}</p>
      <div class="stack near">
        {route.connections.map(({ id, name }) => (
          <a key={id} class="button wide" href={startPath(site, id, to)} rel="nofollow">
            <Icon name="building" small />
            {name}
          </a>
        ))}
      </div>
    </Stage>
  );
}

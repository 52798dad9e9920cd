/** All pages, in the order of docs/pages.md. */
import type { Deps } from "../deps.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { Site } from "../http/server.ts";
import { acceptInvitationPage } from "./accept-invitation.tsx";
import { accountPage } from "./account.tsx";
import { applicationsPage } from "./account-applications.tsx";
import { accountPasswordPage } from "./account-password.tsx";
import { accountPicturePage } from "./account-picture.tsx";
import { auditExportPage, auditPage } from "./admin/audit.tsx";
import { flagPage } from "./admin/flag.tsx";
import { flagsPage } from "./admin/flags.tsx";
import { confirmPlatformMachinesPage, platformMachinesPage } from "./admin/machines.tsx";
import { confirmClientPage, oauthClientPage } from "./admin/oauth-client.tsx";
import { newOAuthClientPage } from "./admin/oauth-client-new.tsx";
import { oauthClientsPage } from "./admin/oauth-clients.tsx";
import { confirmSuspensionPage, organizationPage } from "./admin/organization.tsx";
import { newOrganizationPage } from "./admin/organization-new.tsx";
import { organizationsPage } from "./admin/organizations.tsx";
import { overviewPage } from "./admin/overview.tsx";
import { providerPage } from "./admin/provider.tsx";
import { providersPage } from "./admin/providers.tsx";
import { requestPage, requestsPage } from "./admin/requests.tsx";
import { confirmUserPage, userPage } from "./admin/user.tsx";
import { usersPage } from "./admin/users.tsx";
import { buildAssets } from "./assets.ts";
import { assetsPage } from "./assets-page.ts";
import { authenticatorPage } from "./authenticator.tsx";
import { confirmPage } from "./confirm.tsx";
import { continuePage } from "./continue.tsx";
import { devMailHtmlPage, devMailPage } from "./dev-mail.tsx";
import { errorPage, refusalShower } from "./error.tsx";
import { forgotPasswordPage } from "./forgot-password.tsx";
import { authenticatorOffPage, newRecoveryCodesPage } from "./guarded-factor.tsx";
import { homePage } from "./home.ts";
import { machinesPage } from "./machines.tsx";
import { authorizePage, interactionPage } from "./oauth-authorize.tsx";
import { consentPage } from "./oauth-consent.tsx";
import { oauthLogoutPage } from "./oauth-logout.tsx";
import type { Page } from "./page.ts";
import { askMachines, askSecurity, askTeam } from "./questions.ts";
import { registerPage } from "./register.tsx";
import { resetPasswordPage } from "./reset-password.tsx";
import { securityPage } from "./security.tsx";
import { signInPage } from "./sign-in.tsx";
import { challengePage } from "./sign-in-challenge.tsx";
import { signInCodePage } from "./sign-in-code.tsx";
import { signOutPage } from "./sign-out.tsx";
import { stepUpPage } from "./step-up.tsx";
import { teamPage } from "./team.tsx";
import { verifyEmailPage } from "./verify-email.tsx";
import type { SiteDeps } from "./view.tsx";

type AllDeps = Deps & SiteDeps;

function allPages(deps: AllDeps): Page[] {
  return [
    homePage,
    signInPage(deps),
    signInCodePage(deps),
    challengePage(deps),
    continuePage(deps),
    registerPage(deps),
    forgotPasswordPage(deps),
    resetPasswordPage(deps),
    verifyEmailPage(deps),
    acceptInvitationPage(deps),
    signOutPage(deps),
    accountPage(deps),
    accountPicturePage(deps),
    accountPasswordPage(deps),
    securityPage(deps),
    confirmPage(deps, "/account/security", askSecurity),
    authenticatorPage(deps),
    authenticatorOffPage(deps),
    newRecoveryCodesPage(deps),
    stepUpPage(deps),
    authorizePage(deps),
    interactionPage(deps),
    consentPage(deps),
    oauthLogoutPage(deps),
    applicationsPage(deps),
    teamPage(deps),
    confirmPage(deps, "/team", askTeam),
    ...consolePages(deps),
    machinesPage(deps),
    confirmPage(deps, "/machines", askMachines),
    errorPage(deps),
    assetsPage(deps),
    ...(deps.config.pages.devMail ? [devMailPage(deps), devMailHtmlPage(deps)] : []),
  ];
}

function consolePages(deps: AllDeps): Page[] {
  return [
    overviewPage(deps),
    organizationsPage(deps),
    newOrganizationPage(deps),
    organizationPage(deps),
    confirmSuspensionPage(deps),
    usersPage(deps),
    userPage(deps),
    confirmUserPage(deps),
    providersPage(deps),
    providerPage(deps),
    oauthClientsPage(deps),
    newOAuthClientPage(deps),
    oauthClientPage(deps),
    confirmClientPage(deps),
    flagsPage(deps),
    flagPage(deps),
    platformMachinesPage(deps),
    confirmPlatformMachinesPage(deps),
    auditPage(deps),
    auditExportPage(deps),
    requestsPage(deps),
    requestPage(deps),
  ];
}

/** Bundles what pages load, and builds their endpoints; undefined while the pages are off. */
export async function openSite(deps: Deps): Promise<Site | undefined> {
  if (!deps.config.pages.enabled) return undefined;
  const site: AllDeps = { ...deps, assets: await buildAssets(deps.config) };
  const showRefusal = refusalShower(site);
  const endpoints: Endpoint[] = allPages(site).flatMap((page) => page(site, showRefusal));
  return { endpoints, showRefusal };
}

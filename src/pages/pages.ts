/** All pages, in the order of docs/pages.md. */
import type { Deps } from "../deps.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { Site } from "../http/server.ts";
import { applicationsPages } from "./account/applications.tsx";
import { accountDeletePage } from "./account/delete.tsx";
import { accountEmailPage } from "./account/email-page.tsx";
import { accountExportPage } from "./account/export.tsx";
import { newOwnOrganizationPage } from "./account/new-organization.tsx";
import { accountPage } from "./account/page.tsx";
import { accountPasswordPage } from "./account/password.tsx";
import { accountPicturePage } from "./account/picture.tsx";
import { removePasswordPage } from "./account/remove-password.tsx";
import { auditExportPage, auditPage } from "./admin/audit/page.tsx";
import { brandPages } from "./admin/brand/brand.tsx";
import { claimsPages } from "./admin/claims/pages.ts";
import { deletionsPage, newDeletionPage } from "./admin/deletions.tsx";
import { emailsPage } from "./admin/emails/page.tsx";
import { emailHtmlPage, emailPreviewPages } from "./admin/emails/preview.tsx";
import { findPage } from "./admin/find.ts";
import { flagPage } from "./admin/flags/edit.tsx";
import { flagsExportPage, flagsPage } from "./admin/flags/page.tsx";
import { blockedHostsPages } from "./admin/oauth-clients/blocked-hosts-page.tsx";
import { oauthClientPages } from "./admin/oauth-clients/client-page.tsx";
import { connectClientPage } from "./admin/oauth-clients/connect.tsx";
import { newOAuthClientPage } from "./admin/oauth-clients/new.tsx";
import { oauthClientsExportPage, oauthClientsPage } from "./admin/oauth-clients/page.tsx";
import { registrationTokensPages } from "./admin/oauth-clients/registration-tokens.tsx";
import { newOrganizationPage } from "./admin/organizations/new.tsx";
import { organizationPages as consoleOrganizationPages } from "./admin/organizations/organization.tsx";
import { organizationsExportPage, organizationsPage } from "./admin/organizations/page.tsx";
import { overviewPage } from "./admin/overview/page.tsx";
import { productsPages } from "./admin/products/pages.tsx";
import { providersPage } from "./admin/providers/page.tsx";
import { providerPage } from "./admin/providers/provider-page.tsx";
import { requestPage, requestsPage } from "./admin/requests.tsx";
import { connectResourcePage } from "./admin/resources/connect.tsx";
import { newResourcePage } from "./admin/resources/new.tsx";
import { resourcesExportPage, resourcesPage } from "./admin/resources/page.tsx";
import { resourcePages } from "./admin/resources/resource-page.tsx";
import { resourceScopePage } from "./admin/resources/scope.tsx";
import { newTemplatePages } from "./admin/roles/new.tsx";
import { templatesPage } from "./admin/roles/page.tsx";
import { templatePages } from "./admin/roles/template.tsx";
import { platformServiceAccountPages } from "./admin/service-accounts.tsx";
import { newUserPage } from "./admin/users/new.tsx";
import { userListPages, usersExportPage } from "./admin/users/page.tsx";
import { userPages } from "./admin/users/user-page.tsx";
import { buildAssets } from "./assets.ts";
import { assetsPage } from "./assets-page.ts";
import { channelQuestions } from "./channel-question.tsx";
import { compressed } from "./compression.ts";
import { devMailHtmlPage, devMailPage } from "./dev-mail.tsx";
import { errorPage, navigationShower, refusalShower } from "./error.tsx";
import { groupPages } from "./groups/group.tsx";
import { groupsPage } from "./groups/list.tsx";
import { newGroupPage } from "./groups/new.tsx";
import { homePage } from "./home.ts";
import { changePasswordPage, faviconPage, touchIconPage } from "./icon-pages.ts";
import { keptPages } from "./kept-pages.ts";
import { languagePage } from "./language.ts";
import { mailedLinkPages } from "./mailed-links/pages.ts";
import { approvalPage } from "./oauth/approval.tsx";
import { authorizePage, interactionPage } from "./oauth/authorize-page.tsx";
import { consentPage } from "./oauth/consent.tsx";
import { devicePage } from "./oauth/device.tsx";
import { oauthLogoutPage } from "./oauth/logout.tsx";
import type { Page } from "./page.ts";
import { editPoliciesPage } from "./policies/edit.tsx";
import { policiesPage } from "./policies/page.tsx";
import { directoryPages } from "./provisioning/page.tsx";
import { rolesPage } from "./roles/list.tsx";
import { newRolePage } from "./roles/new.tsx";
import { rolePages } from "./roles/role.tsx";
import { authenticatorPage } from "./security/authenticator.tsx";
import { companyAccountPage } from "./security/company-account.tsx";
import { authenticatorOffPage, newRecoveryCodesPage } from "./security/guarded-factor.tsx";
import { securityPages } from "./security/page.tsx";
import { credentialReviewPage } from "./security/review.tsx";
import { stepUpPages } from "./security/step-up.tsx";
import { unlinkPage } from "./security/unlink.tsx";
import { serviceAccountPages } from "./service-accounts/page.tsx";
import { setupConnectionPage, setupMetadataFilePage } from "./setup/connection.tsx";
import { setupDirectoryPage } from "./setup/directory.tsx";
import { setupDomainsPage } from "./setup/domains.tsx";
import { setupPage } from "./setup/page.tsx";
import { challengePage } from "./sign-in/challenge.tsx";
import { signInCodePage } from "./sign-in/code.tsx";
import { companySignInPage } from "./sign-in/company.tsx";
import { continuePage } from "./sign-in/continue.tsx";
import { signInPage } from "./sign-in/page.tsx";
import { registerPage } from "./sign-in/register.tsx";
import { signOutPage } from "./sign-in/sign-out.tsx";
import { connectionPage, metadataFilePage } from "./single-sign-on/connection.tsx";
import { newConnectionPage } from "./single-sign-on/new.tsx";
import { singleSignOnPages } from "./single-sign-on/page.tsx";
import { ssoPolicyPage } from "./single-sign-on/policy.tsx";
import { teamApplicationPages } from "./team/applications.tsx";
import { teamAuditPage } from "./team/audit.tsx";
import { teamBrandPage, teamLogoDarkPage, teamLogoPage } from "./team/brand.tsx";
import { creationsPage } from "./team/creations.tsx";
import { teamDeletePage } from "./team/delete.tsx";
import { memberRolesPage } from "./team/member-roles.tsx";
import { confirmTeamPage, teamPage } from "./team/page.tsx";
import { teamSessionsPage } from "./team/sessions.tsx";
import { tenantStyles } from "./tenant-styles.ts";
import type { SiteDeps } from "./view.tsx";

type AllDeps = Deps & SiteDeps;

function applicationPages(deps: AllDeps): Page[] {
  return [
    authorizePage(deps),
    interactionPage(deps),
    consentPage(deps),
    approvalPage(deps),
    devicePage(deps),
    oauthLogoutPage(deps),
    ...applicationsPages(deps),
  ];
}

function allPages(deps: AllDeps): Page[] {
  return [
    homePage,
    signInPage(deps),
    companySignInPage(deps),
    signInCodePage(deps),
    challengePage(deps),
    continuePage(deps),
    registerPage(deps),
    ...mailedLinkPages(deps),
    signOutPage(deps),
    languagePage(deps),
    ...accountPages(deps),
    ...applicationPages(deps),
    ...organizationPages(deps),
    ...setupPages(deps),
    ...consolePages(deps),
    ...serviceAccountPages(deps),
    errorPage(deps),
    assetsPage(deps),
    faviconPage(deps),
    touchIconPage(deps),
    changePasswordPage,
    ...(deps.config.pages.devMail ? [devMailPage(deps), devMailHtmlPage(deps)] : []),
  ];
}

function organizationPages(deps: AllDeps): Page[] {
  return [
    teamPage(deps),
    memberRolesPage(deps),
    creationsPage(deps),
    teamSessionsPage(deps),
    teamAuditPage(deps),
    ...teamApplicationPages(deps),
    teamBrandPage(deps),
    teamLogoPage(deps),
    teamLogoDarkPage(deps),
    confirmTeamPage(deps),
    rolesPage(deps),
    newRolePage(deps),
    ...rolePages(deps),
    groupsPage(deps),
    newGroupPage(deps),
    ...groupPages(deps),
    ...singleSignOnPages(deps),
    newConnectionPage(deps),
    ssoPolicyPage(deps),
    connectionPage(deps),
    metadataFilePage(deps),
    ...directoryPages(deps),
    policiesPage(deps),
    editPoliciesPage(deps),
    teamDeletePage(deps),
  ];
}

/** The pages of a person with a set-up link, without an account. */
function setupPages(deps: AllDeps): Page[] {
  return [
    setupPage(deps),
    setupDomainsPage(deps),
    setupConnectionPage(deps),
    setupMetadataFilePage(deps),
    setupDirectoryPage(deps),
  ];
}

function accountPages(deps: AllDeps): Page[] {
  return [
    accountPage(deps),
    accountPicturePage(deps),
    accountPasswordPage(deps),
    removePasswordPage(deps),
    accountEmailPage(deps),
    newOwnOrganizationPage(deps),
    accountExportPage(deps),
    accountDeletePage(deps),
    ...securityPages(deps),
    credentialReviewPage(deps),
    unlinkPage(deps),
    companyAccountPage(deps),
    authenticatorPage(deps),
    authenticatorOffPage(deps),
    newRecoveryCodesPage(deps),
    ...stepUpPages(deps),
  ];
}

function consolePages(deps: AllDeps): Page[] {
  return [
    overviewPage(deps),
    organizationsPage(deps),
    organizationsExportPage(deps),
    newOrganizationPage(deps),
    ...consoleOrganizationPages(deps),
    ...userListPages(deps),
    usersExportPage(deps),
    newUserPage(deps),
    ...userPages(deps),
    deletionsPage(deps),
    newDeletionPage(deps),
    providersPage(deps),
    providerPage(deps),
    oauthClientsPage(deps),
    oauthClientsExportPage(deps),
    newOAuthClientPage(deps),
    ...productsPages(deps),
    ...oauthClientPages(deps),
    connectClientPage(deps),
    ...registrationTokensPages(deps),
    ...blockedHostsPages(deps),
    ...brandPages(deps),
    resourcesPage(deps),
    resourcesExportPage(deps),
    newResourcePage(deps),
    ...resourcePages(deps),
    resourceScopePage(deps),
    connectResourcePage(deps),
    ...claimsPages(deps),
    templatesPage(deps),
    ...newTemplatePages(deps),
    ...templatePages(deps),
    flagsPage(deps),
    flagsExportPage(deps),
    flagPage(deps),
    ...platformServiceAccountPages(deps),
    emailsPage(deps),
    ...emailPreviewPages(deps),
    emailHtmlPage(deps),
    auditPage(deps),
    auditExportPage(deps),
    findPage(deps),
    requestsPage(deps),
    requestPage(deps),
  ];
}

/** Bundles the assets of pages, and builds the endpoints; undefined while the pages are off. */
export async function openSite(deps: Deps): Promise<Site | undefined> {
  if (!deps.config.pages.enabled) return undefined;
  const assets = await buildAssets(deps.config);
  const site = { ...deps, assets, styles: tenantStyles(deps.config), keptPages: keptPages(deps) };
  const showRefusal = refusalShower(site);
  const showWithNavigation = navigationShower(site, showRefusal);
  const refusals = { showRefusal, showWithNavigation, askChannels: channelQuestions(site) };
  const endpoints: Endpoint[] = allPages(site).flatMap((page) => page(site, refusals));
  const showMissing: Site["showMissing"] = async (refused, request, requestId) =>
    await compressed(await showWithNavigation(refused, request, requestId), request);
  return { endpoints, showRefusal, showMissing };
}

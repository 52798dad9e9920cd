/**
 * Whatever grants power, adds a credential or takes data out needs a step-up of a user (docs/contract.md, section 3.9).
 * An endpoint declares the reason (`stepUp`), and the guards require the step-up. Every other endpoint of an
 * organization and of the platform is below, with the reason for its absence.
 */
import { expect, test } from "bun:test";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { allEndpoints, type ServerDeps } from "../../src/http/server.ts";

const TAKES_AWAY = "takes power, access, credentials or data away";
const SENDS_TO_STORED = "sends to an address that was stored with a step-up";
const CONTENT = "changes content without power";
const REFERENCE = "the reference gives the responses, without a step-up";
const NO_POWER = "adds an object without power or credential";
const DECIDED_BEFORE = "the role was decided with a step-up before";

/** Endpoints without a declared step-up, by operation id. */
const WITHOUT_STEP_UP: Readonly<Record<string, string>> = {
  // Organizations.
  revokeInvitation: TAKES_AWAY,
  resendInvitation: DECIDED_BEFORE,
  removeMember: TAKES_AWAY,
  endMemberSession: TAKES_AWAY,
  deleteRole: TAKES_AWAY,
  checkPermissions: "reads",
  previewApplicationClaims: "reads, on record",
  previewApiClaims: "reads, on record",
  deleteGroup: TAKES_AWAY,
  removeGroupMember: TAKES_AWAY,
  changeMemberMetadata: CONTENT,
  changeOrganizationMetadata: CONTENT,
  approveJoinRequest: DECIDED_BEFORE,
  denyJoinRequest: TAKES_AWAY,
  denyOrganizationApplication: TAKES_AWAY,
  endOrganizationApplicationAccess: TAKES_AWAY,
  updateOrganizationBrand: CONTENT,
  uploadOrganizationLogo: CONTENT,
  deleteOrganizationLogo: CONTENT,
  uploadOrganizationLogoDark: CONTENT,
  deleteOrganizationLogoDark: CONTENT,
  createOrganizationServiceAccount: NO_POWER,
  deleteOrganizationServiceAccount: TAKES_AWAY,
  deleteOrganizationTrust: TAKES_AWAY,
  deletePlatformTrust: TAKES_AWAY,
  testOrganizationTrust: "issues no token and changes nothing",
  testPlatformTrust: "issues no token and changes nothing",
  revokeOrganizationApiKey: TAKES_AWAY,
  deleteOrganizationWebhook: TAKES_AWAY,
  testOrganizationWebhook: SENDS_TO_STORED,
  resendOrganizationWebhookDelivery: SENDS_TO_STORED,
  recoverOrganizationWebhook: SENDS_TO_STORED,
  resendFailedOrganizationWebhookDeliveries: SENDS_TO_STORED,
  deleteOrganization: TAKES_AWAY,
  cancelOrganizationDeletion: "restores a state",
  eraseMember: TAKES_AWAY,
  deleteDomain: TAKES_AWAY,
  deleteSsoConnection: TAKES_AWAY,
  deactivateSsoConnection: TAKES_AWAY,
  deletePreviousSsoServiceKey: TAKES_AWAY,
  testSsoConnection: "gives the tester no access",
  deleteSsoIdentity: TAKES_AWAY,
  resetMemberFactor: TAKES_AWAY,
  deleteDirectory: TAKES_AWAY,
  revokeSetupLink: TAKES_AWAY,
  // The platform.
  provisionOrganization: REFERENCE,
  administerOrganization: REFERENCE,
  administerUser: TAKES_AWAY,
  resetUserMfa: TAKES_AWAY,
  issueTicket: "programs alone, whose scopes were granted with a step-up",
  sendUserVerification: "the user alone receives the link",
  sendUserPasswordReset: "the user alone receives the link",
  requestExportOfUser: "the user alone receives the copy",
  deleteUser: TAKES_AWAY,
  removeUser: TAKES_AWAY,
  endUserSession: TAKES_AWAY,
  endUserSessions: TAKES_AWAY,
  cancelUserDeletion: "restores a state",
  deleteOrganizationAsAdmin: TAKES_AWAY,
  removeOrganizationMember: TAKES_AWAY,
  revokeOrganizationInvitation: TAKES_AWAY,
  resendOrganizationInvitation: DECIDED_BEFORE,
  updateOAuthClientBrand: CONTENT,
  uploadOAuthClientLogo: CONTENT,
  deleteOAuthClientLogo: CONTENT,
  uploadOAuthClientLogoDark: CONTENT,
  deleteOAuthClientLogoDark: CONTENT,
  deleteOAuthClient: TAKES_AWAY,
  deleteOAuthClientSecret: TAKES_AWAY,
  deleteOAuthResource: TAKES_AWAY,
  deleteSocialProvider: TAKES_AWAY,
  deleteRegistrationToken: TAKES_AWAY,
  deleteRoleTemplate: TAKES_AWAY,
  createPlatformServiceAccount: NO_POWER,
  deletePlatformServiceAccount: TAKES_AWAY,
  revokePlatformApiKey: TAKES_AWAY,
  deletePlatformWebhook: TAKES_AWAY,
  testPlatformWebhook: SENDS_TO_STORED,
  resendPlatformWebhookDelivery: SENDS_TO_STORED,
  recoverPlatformWebhook: SENDS_TO_STORED,
  resendFailedPlatformWebhookDeliveries: SENDS_TO_STORED,
  endSsoPause: TAKES_AWAY,
  revokeOrganizationSetupLink: TAKES_AWAY,
  putFeatureFlag: CONTENT,
  testSocialProvider: "calls the stored addresses without the secret; the flow requires a step-up by the reference",
  testIntegration: "sends the stored secret to its provider; the flow requires a step-up by the reference",
  exportAudit: REFERENCE,
  proveAuditExport: REFERENCE,
};

function isAdministrative({ auth, path }: Endpoint): boolean {
  return (auth === "administrative" || auth === "people") && /^\/(?:admin|orgs\/:org_id)\//.test(path);
}

function changesOrExports({ method, path }: Endpoint): boolean {
  return method !== "GET" || path.includes("export");
}

test("Every administrative endpoint declares a step-up, or is listed with a reason (G311).", () => {
  const endpoints = allEndpoints({} as ServerDeps).filter((each) => isAdministrative(each) && changesOrExports(each));
  const undeclared = endpoints.filter(({ stepUp }) => stepUp === undefined).map(({ operationId }) => operationId);
  expect(undeclared.toSorted()).toEqual(Object.keys(WITHOUT_STEP_UP).toSorted());
});

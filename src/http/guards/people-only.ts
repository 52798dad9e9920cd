/**
 * What remains for people although it administers, by operation id, with the reason: a program receives 403
 * (docs/contract.md, section 35.2). The flows of clients refuse changes of first-party clients, and roles of the
 * platform have no endpoint.
 */
export const PEOPLE_ONLY_OPERATIONS: Readonly<Record<string, string>> = {
  createOwnOrganization: "the person becomes the owner",
  joinOrganization: "the person joins with the own verified address",
  testSsoConnection: "the test runs in the browser of the administrator",
};

/**
 * PATCH requests of directory products that deviate from RFC 7644, and examples of the RFC. `source` is the public
 * documentation or report that quotes the request. `MEMBER_A` and `MEMBER_B` replace the quoted ids.
 */

export const MEMBER_A = "0198c000-0000-7000-8000-00000000000a";
export const MEMBER_B = "0198c000-0000-7000-8000-00000000000b";
export const GROUP_ID = "0198c000-0000-7000-8000-0000000000ff";
export const USER_ID = "0198c000-0000-7000-8000-000000000001";

const MICROSOFT = "https://learn.microsoft.com/entra/identity/app-provisioning";
const ENTRA_ISSUES = `${MICROSOFT}/application-provisioning-config-problem-scim-compatibility`;
const ENTRA = `${MICROSOFT}/use-scim-to-provision-users-and-groups`;
const OKTA = "https://github.com/getsentry/sentry/pull/27199";
const OKTA_GROUP = "https://github.com/jelhub/scimgateway/issues/113";
const OKTA_MEMBER = "https://github.com/Captain-P-Goldfish/SCIM-SDK/issues/419";
const ENTRA_PHONE = "https://github.com/AzureAD/SCIMReferenceCode/issues/60";
const ENTRA_ADDRESS = "https://github.com/thomaspoignant/scim-patch/issues/187";
const ENTRA_VALIDATOR = "https://github.com/Captain-P-Goldfish/scim-for-keycloak/issues/87";
const ENTRA_HOME = "https://github.com/sourcegraph/sourcegraph-public-snapshot/pull/49119";
const ENTRA_MANAGER = "https://github.com/imulab/go-scim/issues/75";
const ENTRA_KEYS = "https://github.com/fleetdm/fleet/issues/41996";
const DOT = "https://github.com/apache/directory-scimple/issues/704";
const ENTRA_REMOVAL = "https://github.com/ssoready/ssoready/pull/182";
const JUMPCLOUD = "https://app.uni-moni.com/en/kb/sso-setup-jumpcloud";
const JUMPCLOUD_FIELDS = "https://github.com/Paul-E/scim-v2-rust/tree/main/src/test_data";
/** "OneLogin sends a dict despite the spec" of the emails of a user. */
const ONELOGIN = "https://github.com/15five/django-scim2/blob/main/src/django_scim/adapters.py";
const ENTRA_ROLES = "https://github.com/lightdash/lightdash/pull/25676";
const ENTRA_TEXT_MEMBER = "https://github.com/AzureAD/SCIMReferenceCode/issues/24";
const ENTRA_NO_MANAGER = "https://github.com/Captain-P-Goldfish/SCIM-SDK/issues/652";
const RFC = "https://www.rfc-editor.org/rfc/rfc7644#section-3.5.2";

const PATCH_OP = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
export const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

export interface RecordedPatch {
  readonly client: "Entra ID" | "JumpCloud" | "Okta" | "OneLogin" | "RFC 7644";
  readonly form: string;
  readonly source: string;
  readonly body: { readonly schemas?: readonly string[]; readonly Operations: readonly unknown[] };
}

function patch(
  client: RecordedPatch["client"],
  form: string,
  source: string,
  ...operations: readonly unknown[]
): RecordedPatch {
  return { client, form, source, body: { schemas: [PATCH_OP], Operations: operations } };
}

/** PATCH of users, with the expected members of the resulting document; undefined: absent. */
export const USER_PATCHES: readonly (RecordedPatch & { readonly expected: Readonly<Record<string, unknown>> })[] = [
  {
    ...patch("Entra ID", "Replace of active with the text False", ENTRA_ISSUES, {
      op: "Replace",
      path: "active",
      value: "False",
    }),
    expected: { active: false },
  },
  {
    ...patch("Entra ID", "Add of a single attribute", ENTRA_ISSUES, { op: "Add", path: "nickName", value: "Babs" }),
    expected: { nickName: "Babs" },
  },
  {
    ...patch(
      "Entra ID",
      "several Replace operations with a URN and a colon",
      ENTRA_ISSUES,
      { op: "Replace", path: "displayName", value: "Pvlo" },
      { op: "Replace", path: 'emails[type eq "work"].value', value: "TestBcwqnm@test.microsoft.com" },
      { op: "Replace", path: "name.givenName", value: "Gtfd" },
      { op: "Replace", path: "name.familyName", value: "Pkqf" },
      { op: "Replace", path: "externalId", value: "Eqpj" },
      { op: "Replace", path: `${ENTERPRISE}:employeeNumber`, value: "Eqpj" },
    ),
    expected: {
      displayName: "Pvlo",
      emails: [{ type: "work", value: "TestBcwqnm@test.microsoft.com", primary: true }],
      name: { givenName: "Gtfd", familyName: "Pkqf" },
      externalId: "Eqpj",
      [ENTERPRISE]: { employeeNumber: "Eqpj" },
    },
  },
  {
    ...patch(
      "Entra ID",
      "replace without path, with paths as keys",
      ENTRA_ISSUES,
      { op: "replace", path: 'emails[type eq "work"].value', value: "TestMhvaes@test.microsoft.com" },
      {
        op: "replace",
        value: {
          displayName: "Bjfe",
          "name.givenName": "Kkom",
          "name.familyName": "Unua",
          [`${ENTERPRISE}:employeeNumber`]: "Aklq",
        },
      },
    ),
    expected: {
      displayName: "Bjfe",
      emails: [{ type: "work", value: "TestMhvaes@test.microsoft.com", primary: true }],
      name: { givenName: "Kkom", familyName: "Unua" },
      [ENTERPRISE]: { employeeNumber: "Aklq" },
    },
  },
  {
    ...patch(
      "Entra ID",
      "a URN with a dot before the attribute",
      DOT,
      { op: "replace", path: `${ENTERPRISE}.employeeNumber`, value: "56789" },
      { op: "replace", path: `${ENTERPRISE}.manager`, value: { value: "bulkId:asdsdfas" } },
    ),
    expected: { [ENTERPRISE]: { employeeNumber: "56789", manager: { value: "bulkId:asdsdfas" } } },
  },
  {
    ...patch("Entra ID", "replace without path, with a URN in every key", ENTRA_KEYS, {
      op: "replace",
      value: {
        [`${ENTERPRISE}:department`]: "Testing",
        [`${ENTERPRISE}:employeeNumber`]: "123456",
        [`${ENTERPRISE}:costCenter`]: "CC-90",
      },
    }),
    expected: { [ENTERPRISE]: { department: "Testing", employeeNumber: "123456", costCenter: "CC-90" } },
  },
  {
    ...patch("Entra ID", "Add of a telephone number that does not exist", ENTRA_PHONE, {
      op: "Add",
      path: 'phoneNumbers[type eq "mobile"].value',
      value: "+49 30 1234567",
    }),
    expected: { phoneNumbers: [{ type: "mobile", value: "+49 30 1234567" }] },
  },
  {
    ...patch("Entra ID", "Add of a postal address that does not exist", ENTRA_ADDRESS, {
      op: "add",
      path: 'addresses[type eq "work"].country',
      value: "country11",
    }),
    expected: { addresses: [{ type: "work", country: "country11" }] },
  },
  {
    ...patch(
      "Entra ID",
      "Replace of an address of a type that does not exist",
      ENTRA_VALIDATOR,
      { op: "replace", path: 'emails[type eq "untyped"].value', value: "marguerite_lubowitz@mante.ca" },
      { op: "replace", path: 'emails[type eq "untyped"].display', value: "I27XLHK4TLTG" },
      { op: "replace", path: 'emails[type eq "untyped"].primary', value: true },
    ),
    expected: {
      emails: [
        { value: "bjensen@example.com", type: "work", primary: false },
        { type: "untyped", value: "marguerite_lubowitz@mante.ca", display: "I27XLHK4TLTG", primary: true },
      ],
    },
  },
  {
    ...patch(
      "Entra ID",
      "addresses of several types in one request",
      ENTRA_HOME,
      { op: "replace", path: 'emails[type eq "work"].value', value: "oren.collins@white.com" },
      { op: "add", path: 'emails[type eq "home"].value', value: "angelita@mante.us" },
      { op: "add", path: 'emails[type eq "other"].value', value: "yasmine_bins@braun.us" },
      { op: "replace", path: 'emails[type eq "work"].display', value: "0TXBC2MOGUI0" },
      { op: "replace", path: 'emails[type eq "home"].display', value: "14UDKFEIO3YS" },
      { op: "add", path: 'emails[type eq "work"].primary', value: false },
      { op: "replace", path: 'emails[type eq "home"].primary', value: true },
    ),
    expected: {
      emails: [
        { value: "oren.collins@white.com", type: "work", display: "0TXBC2MOGUI0", primary: false },
        { value: "angelita@mante.us", type: "home", display: "14UDKFEIO3YS", primary: true },
        { value: "yasmine_bins@braun.us", type: "other" },
      ],
    },
  },
  {
    ...patch("Entra ID", "a role that the user does not have, selected as primary by text", ENTRA_ROLES, {
      op: "Add",
      path: 'roles[primary eq "True"].value',
      value: "editor",
    }),
    expected: { roles: [{ primary: true, value: "editor" }] },
  },
  {
    ...patch("Entra ID", "a manager as text", ENTRA_MANAGER, {
      op: "Add",
      path: `${ENTERPRISE}:manager`,
      value: "45619541-95de-4d5e-9872-571b5d2c5577",
    }),
    expected: { [ENTERPRISE]: { manager: { value: "45619541-95de-4d5e-9872-571b5d2c5577" } } },
  },
  {
    ...patch(
      "Entra ID",
      "a manager cleared by empty text",
      ENTRA_NO_MANAGER,
      { op: "add", path: `${ENTERPRISE}:manager`, value: "2c2f6fb8-254f-492e-b7fe-c09c5a61c8a2" },
      { op: "replace", path: `${ENTERPRISE}:manager`, value: "" },
    ),
    expected: { [ENTERPRISE]: undefined },
  },
  {
    ...patch("Okta", "deactivation without path", OKTA, { op: "replace", value: { active: false } }),
    expected: { active: false },
  },
  {
    ...patch("OneLogin", "the emails as one object", ONELOGIN, {
      op: "replace",
      path: "emails",
      value: { value: "kelly@example.com", type: "work", primary: true },
    }),
    expected: { emails: [{ value: "kelly@example.com", type: "work", primary: true }] },
  },
  {
    ...patch(
      "JumpCloud",
      "an operation for each attribute, and the deactivation",
      JUMPCLOUD_FIELDS,
      { op: "replace", path: "name.givenName", value: "John" },
      { op: "replace", path: "name.familyName", value: "Doe" },
      { op: "replace", path: "active", value: false },
    ),
    expected: { name: { givenName: "John", familyName: "Doe" }, active: false },
  },
  {
    ...patch("RFC 7644", "add without path (section 3.5.2.1)", RFC, {
      op: "add",
      value: { emails: [{ value: "babs@jensen.org", type: "home" }], nickname: "Babs" },
    }),
    expected: {
      nickName: "Babs",
      emails: [
        { value: "bjensen@example.com", type: "work", primary: true },
        { value: "babs@jensen.org", type: "home" },
      ],
    },
  },
  {
    ...patch("RFC 7644", "replace of all emails and the nick name (section 3.5.2.3)", RFC, {
      op: "replace",
      value: {
        emails: [
          { value: "bjensen@example.com", type: "work", primary: true },
          { value: "babs@jensen.org", type: "home" },
        ],
        nickname: "Babs",
      },
    }),
    expected: {
      nickName: "Babs",
      emails: [
        { value: "bjensen@example.com", type: "work", primary: true },
        { value: "babs@jensen.org", type: "home" },
      ],
    },
  },
  {
    ...patch("RFC 7644", "replace of the work address (section 3.5.2.3)", RFC, {
      op: "replace",
      path: 'addresses[type eq "work"]',
      value: {
        type: "work",
        streetAddress: "911 Universal City Plaza",
        locality: "Hollywood",
        region: "CA",
        postalCode: "91608",
        country: "US",
        formatted: "911 Universal City Plaza\nHollywood, CA 91608 US",
        primary: true,
      },
    }),
    expected: {
      addresses: [
        {
          type: "work",
          streetAddress: "911 Universal City Plaza",
          locality: "Hollywood",
          region: "CA",
          postalCode: "91608",
          country: "US",
          formatted: "911 Universal City Plaza\nHollywood, CA 91608 US",
          primary: true,
        },
      ],
    },
  },
  {
    ...patch("RFC 7644", "replace of a sub-attribute of the selected address (section 3.5.2.3)", RFC, {
      op: "replace",
      path: 'addresses[type eq "work"].streetAddress',
      value: "1010 Broadway Ave",
    }),
    expected: { addresses: [{ type: "work", streetAddress: "1010 Broadway Ave" }] },
  },
  {
    ...patch("RFC 7644", "remove of selected emails (section 3.5.2.2)", RFC, {
      op: "remove",
      path: 'emails[type eq "work" and value ew "example.com"]',
    }),
    expected: { emails: undefined },
  },
];

/** A member in the form of the RFC. */
const named = (value: string, display: string) => ({ display, $ref: `https://example.com/v2/Users/${value}`, value });

interface MemberOutcome {
  readonly replaces?: boolean;
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
  readonly displayName?: string;
}

/** PATCH of groups, with the translated change. */
export const GROUP_PATCHES: readonly (RecordedPatch & { readonly expected: MemberOutcome })[] = [
  {
    ...patch("Entra ID", "Remove with the members in value", ENTRA_ISSUES, {
      op: "Remove",
      path: "members",
      value: [{ value: MEMBER_A }],
    }),
    expected: { removed: [MEMBER_A] },
  },
  {
    ...patch("Entra ID", "remove with the members in value, in lower case", ENTRA_REMOVAL, {
      op: "remove",
      path: "members",
      value: [{ value: MEMBER_A }],
    }),
    expected: { removed: [MEMBER_A] },
  },
  {
    ...patch("Entra ID", "remove of a selected member", ENTRA_ISSUES, {
      op: "remove",
      path: `members[value eq "${MEMBER_A}"]`,
    }),
    expected: { removed: [MEMBER_A] },
  },
  {
    ...patch("Entra ID", "Add of a member with $ref null", ENTRA, {
      op: "Add",
      path: "members",
      value: [{ $ref: null, value: MEMBER_A }],
    }),
    expected: { added: [MEMBER_A] },
  },
  {
    ...patch("Entra ID", "Replace of the name", ENTRA, { op: "Replace", path: "displayName", value: "Engineers" }),
    expected: { displayName: "Engineers" },
  },
  {
    ...patch("Okta", "a rename with id and displayName", OKTA_GROUP, {
      op: "replace",
      value: { id: GROUP_ID, displayName: "Engineers" },
    }),
    expected: { displayName: "Engineers" },
  },
  {
    ...patch("Okta", "members, id and displayName without path", OKTA_GROUP, {
      op: "replace",
      value: { members: [], id: GROUP_ID, displayName: "Viewers" },
    }),
    expected: { displayName: "Viewers", replaces: true },
  },
  {
    ...patch("Okta", "a member with a display name and without a type", OKTA_MEMBER, {
      op: "add",
      path: "members",
      value: [{ value: MEMBER_A, display: "ABaker@Gradle.Example" }],
    }),
    expected: { added: [MEMBER_A] },
  },
  {
    ...patch("Okta", "the push of an empty group", "https://github.com/Captain-P-Goldfish/SCIM-SDK/issues/757", {
      op: "replace",
      path: "members",
      value: [],
    }),
    expected: { replaces: true },
  },
  {
    ...patch("Entra ID", "Add of a member as text, by the suite of Microsoft", ENTRA_TEXT_MEMBER, {
      op: "add",
      path: "members",
      value: MEMBER_A,
    }),
    expected: { added: [MEMBER_A] },
  },
  {
    ...patch("JumpCloud", "remove with the members in value", JUMPCLOUD, {
      op: "remove",
      path: "members",
      value: [{ value: MEMBER_A }],
    }),
    expected: { removed: [MEMBER_A] },
  },
  {
    ...patch("JumpCloud", "add of a member without a type", JUMPCLOUD_FIELDS, {
      op: "add",
      path: "members",
      value: [{ value: MEMBER_A }],
    }),
    expected: { added: [MEMBER_A] },
  },
  {
    ...patch("RFC 7644", "add of a member (section 3.5.2.1)", RFC, {
      op: "add",
      path: "members",
      value: [named(MEMBER_A, "Babs Jensen")],
    }),
    expected: { added: [MEMBER_A] },
  },
  {
    ...patch("RFC 7644", "remove of all members (section 3.5.2.2)", RFC, { op: "remove", path: "members" }),
    expected: { replaces: true },
  },
  {
    ...patch(
      "RFC 7644",
      "remove of one member and add of another member (section 3.5.2.2)",
      RFC,
      { op: "remove", path: `members[value eq "${MEMBER_A}"]` },
      { op: "add", path: "members", value: [named(MEMBER_B, "James Smith")] },
    ),
    expected: { added: [MEMBER_B], removed: [MEMBER_A] },
  },
  {
    ...patch(
      "RFC 7644",
      "replace of all members (section 3.5.2.2)",
      RFC,
      { op: "remove", path: "members" },
      { op: "add", path: "members", value: [named(MEMBER_A, "Babs Jensen"), named(MEMBER_B, "James Smith")] },
    ),
    expected: { replaces: true, added: [MEMBER_A, MEMBER_B] },
  },
  {
    ...patch("RFC 7644", "replace of all members in a single operation (section 3.5.2.3)", RFC, {
      op: "replace",
      path: "members",
      value: [named(MEMBER_A, "Babs Jensen"), named(MEMBER_B, "James Smith")],
    }),
    expected: { replaces: true, added: [MEMBER_A, MEMBER_B] },
  },
  {
    ...patch("RFC 7644", "remove of a selected member (section 3.5.2.2)", RFC, {
      op: "remove",
      path: `members[value eq "${MEMBER_A}"]`,
    }),
    expected: { removed: [MEMBER_A] },
  },
];

/** Figure 2 of RFC 7644, and a filter for each further row of section 3.4.2.2, with supported attributes. */
export const RFC_FILTERS: readonly string[] = [
  'userName eq "bjensen"',
  'name.familyName co "O\'Malley"',
  'userName sw "J"',
  'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
  "title pr",
  'meta.lastModified gt "2011-05-13T04:42:34Z"',
  'meta.lastModified ge "2011-05-13T04:42:34Z"',
  'meta.lastModified lt "2011-05-13T04:42:34Z"',
  'meta.lastModified le "2011-05-13T04:42:34Z"',
  'title pr and userType eq "Employee"',
  'title pr or userType eq "Intern"',
  'schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"',
  'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")',
  'userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")',
  'userType eq "Employee" and (emails.type eq "work")',
  'userType eq "Employee" and emails[type eq "work" and value co "@example.com"]',
  'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]',
];

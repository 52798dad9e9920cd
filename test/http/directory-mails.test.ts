/**
 * The recipients of the emails about the channels of a directory (docs/contract.md, sections 31.5, 31.8, 31.9 and
 * 32.9): the present owners of the organization, and no other person.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import { directoryOf, groupBody, userBody, verifyDomainOf } from "../support/directories.ts";
import { memberWith } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const active = (value: boolean) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations: [{ op: "replace", path: "active", value }],
});

/** A directory with two owners, and people who are no owners now: an admin, a former, a disabled and another owner. */
async function directoryWithPeople() {
  const directory = await directoryOf(at);
  await verifyDomainOf(at, directory);
  const { organizationId, email, scim, address } = directory;
  const [second, admin, former, disabled] = [
    await memberWith(at, organizationId, "owner"),
    await memberWith(at, organizationId, "admin"),
    await memberWith(at, organizationId, "owner"),
    await memberWith(at, organizationId, "owner"),
  ];
  const foreign = await directoryOf(at);
  await at.sql`delete from members where organization_id = ${organizationId} and user_id = ${former.userId}`;
  await at.sql`update users set disabled_at = now() where id = ${disabled.userId}`;
  const { body } = await scim("POST", "/Users", userBody(address("ada")));
  const [ada] = await at.sql`select id from users where email = ${address("ada")}`;
  return {
    ...directory,
    admin,
    owners: [email, second.email].sort(),
    people: [admin.email, former.email, disabled.email, foreign.email],
    recordId: String(body.id),
    adaId: String(ada?.id),
  };
}

type People = Awaited<ReturnType<typeof directoryWithPeople>>;

const setRole = (organizationId: string, userId: string, role: string) =>
  at.sql`update members set role = ${role} where organization_id = ${organizationId} and user_id = ${userId}`;

/** A key of the admin, who is below the owners. */
const keyOfAdmin = ({ keyId, admin }: People) =>
  at.sql`update api_keys set created_by = ${admin.userId} where id = ${keyId}`;

/** What leads to each email, and the subject. */
const MAILS: Readonly<Record<string, readonly [subject: RegExp, cause: (people: People) => Promise<unknown>]>> = {
  directory_refused: [
    /A change by your directory was refused/,
    async (people) => {
      await keyOfAdmin(people);
      await setRole(people.organizationId, people.adaId, "owner");
      expect((await people.scim("PATCH", `/Users/${people.recordId}`, active(false))).status).toBe(400);
      await setRole(people.organizationId, people.adaId, "member");
    },
  ],
  directory_role_withheld: [
    /A returning member lost a role/,
    async (people) => {
      const { organizationId, scim, recordId, adaId } = people;
      await at.sql`update directories set role_source = 'none' where organization_id = ${organizationId}`;
      await setRole(organizationId, adaId, "owner");
      expect((await scim("PATCH", `/Users/${recordId}`, active(false))).status).toBe(200);
      await keyOfAdmin(people);
      expect((await scim("PATCH", `/Users/${recordId}`, active(true))).status).toBe(200);
    },
  ],
  channels_accepted: [
    /New permissions in .* were confirmed/,
    async (people) => {
      const { client, place, scim } = people;
      await at.sql`update directories set role_source = 'groups' where organization_id = ${people.organizationId}`;
      const member = await memberWith(at, people.organizationId, "member");
      await at.sql`update api_keys set created_by = ${member.userId} where id = ${people.keyId}`;
      const { body } = await scim("POST", "/Groups", groupBody("Admins"));
      const path = `${place}/groups/${body.id}`;
      expect((await client.patch(path, { role: "admin" })).status).toBe(409);
      expect((await client.patch(path, { role: "admin", confirm: true })).status).toBe(200);
    },
  ],
};

describe.each(Object.entries(MAILS))("the email %s", (_, [subject, cause]) => {
  test("reaches the present owners, and no admin, former, disabled or foreign owner (G426).", async () => {
    const people = await directoryWithPeople();
    await cause(people);
    const everyone = [...people.owners, ...people.people];
    const recipients = () =>
      at.mail.delivered
        .filter((mail) => subject.test(mail.subject) && mail.to.some((address) => everyone.includes(address)))
        .flatMap(({ to }) => to)
        .sort();
    await eventually("both owners have the email", 10_000, async () => recipients().length >= people.owners.length);
    expect(recipients()).toEqual(people.owners);
  });
});

/** Groups and claims of users, for the tests of claim mappings. */
import type { Client } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import { Browser } from "./oauth.ts";

/** A browser with the session of a client. */
export function browserOf({ one }: Pick<Deployment, "one">, { client }: { readonly client: Client }): Browser {
  const browser = new Browser(one.url);
  Object.assign(browser.client, { jar: client.jar });
  return browser;
}

/** Puts a member into groups of the organization, which are created. */
export async function addGroups(
  { sql }: Pick<Deployment, "sql">,
  { organizationId }: { readonly organizationId: string },
  userId: string,
  names: readonly string[],
): Promise<void> {
  await sql`
    with groups as (
      insert into member_groups (id, organization_id, name, name_key, description, created_at, updated_at)
      select gen_random_uuid(), ${organizationId}, name, lower(name), '', now(), now()
      from unnest(${[...names]}::text[]) name
      on conflict (organization_id, name_key) do update set updated_at = now() returning id
    )
    insert into member_group_members (group_id, organization_id, user_id, added_at)
    select id, ${organizationId}, ${userId}, now() from groups`;
}

/** The response of UserInfo. */
export async function userInfo(url: string, token: string) {
  const response = await fetch(`${url}/oauth2/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

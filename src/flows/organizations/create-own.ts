import { NAME_FLAW, normalizeName } from "../../base/display-name.ts";
import { type FieldFlaw, hasFlaws, invalidFields } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertMember } from "../../models/member/member.ts";
import { lockFounder } from "../../models/organization/founder.ts";
import { insertOrganization } from "../../models/organization/organization.ts";
import { isSlug, SLUG_FLAW } from "../../models/organization/slug.ts";
import type { SessionView } from "../../models/session/session.ts";
import { createWithFreeSlug, findFreeSlugs, SLUG_TAKEN } from "../steps/accounts/create-organization.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";

export interface CreateOwnInput {
  /** Not bound to an organization. */
  readonly session: SessionView;
  readonly organizationName: string;
  /** Default: derived from the name. */
  readonly slug: string | undefined;
  readonly client: RequestContext;
}

export interface OwnOrganization {
  readonly organizationId: string;
  readonly name: string;
  readonly slug: string;
}

type CreationProblem = Refusal<"conflict" | "forbidden" | "invalid_input">;

const UNVERIFIED = refusal("forbidden", "Verify your email address first.");
const TOO_MANY = refusal("conflict", "You own the permitted number of organizations.");

/**
 * POST /v1/orgs (docs/contract.md, section 34.4): a further organization of a user with a verified address. The session
 * stays in its organization.
 */
export async function createOwnOrganization(
  deps: StoreDeps,
  input: CreateOwnInput,
): Promise<Result<OwnOrganization, CreationProblem>> {
  const name = normalizeName(input.organizationName);
  const { slug: givenSlug } = input;
  const flaws: FieldFlaw[] = [];
  if (name === undefined) flaws.push({ field: "organization_name", ...NAME_FLAW });
  if (givenSlug !== undefined && !isSlug(givenSlug)) flaws.push({ field: "slug", ...SLUG_FLAW });
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  const claim = { organizationName: name ?? input.organizationName, givenSlug };
  const slugs = await findFreeSlugs(deps, claim);
  if (!slugs.ok) return err(SLUG_TAKEN);
  const created = await createWithFreeSlug(claim, slugs.value, (slug) =>
    persistOrganization(deps, input, { organizationId: deps.random.uuid(), name: claim.organizationName, slug }),
  );
  if (created.ok) return created;
  return err(typeof created.error === "string" ? SLUG_TAKEN : created.error);
}

async function persistOrganization(
  deps: StoreDeps,
  { session: { userId }, client }: CreateOwnInput,
  organization: OwnOrganization,
): Promise<Result<OwnOrganization, Refusal<"conflict" | "forbidden">>> {
  const { organizationId, name, slug } = organization;
  const { defaultTier: tier, organizationsPerUser } = deps.config;
  const at = new Date(deps.clock.now());
  const resource = { type: "organization", id: organizationId } as const;
  const metadata = { owner_user_id: userId, tier };
  const event = { action: "organization.created", at, resource, metadata } as const;
  const entry = userAuditEvent(deps, { userId, organizationId }, client, event);
  return await deps.database.transaction("organization.create_own", async (sql) => {
    const founder = await lockFounder(sql, userId);
    if (!founder.isVerified) return err(UNVERIFIED);
    if (founder.ownedOrganizations >= organizationsPerUser) return err(TOO_MANY);
    await sql`
      with organization as (${insertOrganization(sql, { id: organizationId, name, slug, tier, at })}),
      home as (${insertMember(sql, { organizationId, userId, role: "owner", at })})
      ${insertAudit(sql, entry, sql``)}`;
    return ok(organization);
  });
}

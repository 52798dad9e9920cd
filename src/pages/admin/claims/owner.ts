/** The two kinds of objects with claim mappings: applications and APIs. */
import type { Refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import type { Result } from "../../../base/result.ts";
import type { DisplayedVersion } from "../../../database/statement.ts";
import type { Deps } from "../../../deps.ts";
import type { AdministerClientsDeps } from "../../../flows/oauth/clients/administer-clients.ts";
import type { Preview, PreviewDeps } from "../../../flows/oauth/preview/preview-claims.ts";
import type { AdministerResourcesDeps } from "../../../flows/oauth/resources/administer-resources.ts";
import type { PlatformCaller } from "../../../flows/steps/authorization/authorize-platform-role.ts";
import type { Reply } from "../../../http/reply.ts";
import type { ApplicationMapping, ClaimMapping } from "../../../vocabulary/claim-mapping.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import type { ConsoleCall } from "../console.tsx";
import type { TargetInput } from "../console-actions.tsx";

/** `in`: of applications. */
export type StoredMapping = ClaimMapping & Partial<Pick<ApplicationMapping, "in">>;

/** An application or API, as the pages of its claims display the object. */
export interface ClaimsTarget {
  readonly owner: ClaimsOwner;
  readonly id: string;
  readonly name: string;
  readonly mappings: readonly StoredMapping[];
  readonly scopes: readonly string[];
  readonly updatedAt: Date;
  /** False for an application that registered itself. */
  readonly mayHaveMappings: boolean;
}

export type ClaimsDeps = SignedInUserDeps &
  AdministerClientsDeps &
  AdministerResourcesDeps &
  PreviewDeps &
  Pick<Deps, "reads">;

/** The page of the result, which a preview displays. */
export interface PreviewDisplay {
  readonly showPreview: (input: ClaimsInput, preview: DisplayedPreview) => Promise<Reply>;
}

/** A preview with the typed address and slug. */
export interface DisplayedPreview extends Preview {
  readonly user: string;
  readonly slug: string;
}

export type ClaimsInput = TargetInput<ClaimsDeps & PreviewDisplay, ClaimsTarget>;

interface PagePath {
  readonly path: string;
}

interface Administration {
  readonly caller: PlatformCaller;
  readonly client: RequestContext;
  readonly id: string;
}

export interface MappingsChange extends Administration {
  /** Mappings on the wire, not yet validated. */
  readonly mappings: readonly unknown[];
  /** The displayed version of the object. */
  readonly displayed: DisplayedVersion;
}

export interface PreviewRequest extends Administration {
  readonly userId: string;
  readonly organizationId: string | undefined;
  /** Unsaved mappings on the wire, not yet validated. Default: the stored mappings. */
  readonly mappings?: readonly unknown[];
}

export interface ClaimsOwner {
  readonly kind: "api" | "application";
  /** The list of the objects; the page of an object is below. */
  readonly list: "/admin/oauth-clients" | "/admin/resources";
  /** The addresses of the page of the claims, of one claim, and of the questions. */
  readonly pages: { readonly claims: PagePath; readonly edit: PagePath; readonly confirm: PagePath };
  readonly read: (deps: ClaimsDeps, call: ConsoleCall) => Promise<Result<ClaimsTarget, Refusal>>;
  /** Replaces the mappings; an object that changed since the display is a `conflict`. */
  readonly save: (deps: ClaimsDeps, change: MappingsChange) => Promise<Result<unknown, Refusal>>;
  readonly preview: (deps: ClaimsDeps, request: PreviewRequest) => Promise<Result<Preview, Refusal>>;
}

/** The address of the page of the claims. */
export function claimsPath({ owner, id }: Pick<ClaimsTarget, "id" | "owner">): string {
  return `${owner.list}/${id}/claims`;
}

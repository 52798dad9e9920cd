/** The policies of an organization, which only members of the organization change. */
import { organizationCallerOf } from "../../../flows/steps/authorization/authorize-member.ts";
import { displayedPolicies } from "../../policies/displayed.ts";
import { Pending, PolicyGroups } from "../../policies/overview-view.tsx";
import type { ReadSection } from "./sections.tsx";

export const readOrganizationPolicies: ReadSection = async ({ deps, call, organization }) => {
  const policies = await displayedPolicies(deps, organizationCallerOf(call.admin, organization.id));
  return (
    <>
      <Pending policies={policies} />
      <PolicyGroups policies={policies} />
    </>
  );
};

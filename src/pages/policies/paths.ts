/** The addresses of the pages of policies. */
export const POLICIES = "/team/policies";
export const EDIT_POLICIES = "/team/policies/edit";

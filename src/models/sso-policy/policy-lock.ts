/** The name of the lock for changes of the policy for single sign-on, and for policies that rely on the policy. */
export function ssoPolicyLock(organizationId: string): string {
  return `sso policy of ${organizationId}`;
}

/** The page of the connections and domains, for emails to owners. */
export function singleSignOnPageUrl(publicBaseUrl: string): string {
  return `${publicBaseUrl}/team/single-sign-on`;
}

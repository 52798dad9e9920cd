/** The page of the connections and domains, for e-mails to owners. */
export function singleSignOnPageUrl(publicBaseUrl: string): string {
  return `${publicBaseUrl}/team/single-sign-on`;
}

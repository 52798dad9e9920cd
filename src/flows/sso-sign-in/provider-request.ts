/** A request that the browser carries to the identity provider. */
export interface ProviderRequest {
  readonly location: string;
  /** Fields of a form that the browser posts to `location`; absent: the browser is redirected. */
  readonly form?: Readonly<Record<string, string>>;
}

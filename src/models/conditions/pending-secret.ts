/** A secret of an authenticator app that waits for its first code. */
export interface PendingSecret {
  readonly sealedSecret: Buffer;
  readonly at: Date;
  /** An unconfirmed secret that is younger stays in place of the new secret. */
  readonly keepSince: Date;
}

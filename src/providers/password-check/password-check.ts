/** Owns: the look-up of common passwords, for new passwords only. The check never refuses a sign-in. */

export interface PasswordCheck {
  /** `password`: normalised. Never rejects; returns false if the look-up fails. */
  isCommon(password: string): Promise<boolean>;
}

/** `SERVICE_PASSWORD_CHECK=off`. */
export const NO_PASSWORD_CHECK: PasswordCheck = { isCommon: async () => false };

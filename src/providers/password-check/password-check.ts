/** Owns: the question whether everybody's lists hold a password. It never keeps anybody from signing in, only from choosing. */

export interface PasswordCheck {
  /** `password`: normalised. Never rejects; when nobody can tell, the password passes (decisions, section 4). */
  isCommon(password: string): Promise<boolean>;
}

/** `SERVICE_PASSWORD_CHECK=off`. */
export const NO_PASSWORD_CHECK: PasswordCheck = { isCommon: async () => false };

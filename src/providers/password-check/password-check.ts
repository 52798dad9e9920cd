/** Owns: the look-up of common passwords, for new passwords only. The check never refuses a sign-in. */

export interface PasswordCheck {
  /**
   * `password`: normalised. Never rejects; returns false if the look-up fails. `required`: an organization of the user
   * requires the check.
   */
  isCommon(password: string, required?: boolean): Promise<boolean>;
}

/** `SERVICE_PASSWORD_CHECK=off`: the list is loaded for the first user of an organization that requires the check. */
export function checkOnDemand(load: () => Promise<PasswordCheck>): PasswordCheck {
  let list: Promise<PasswordCheck> | undefined;
  return {
    async isCommon(password, required = false) {
      if (!required) return false;
      list ??= load();
      return await (await list).isCommon(password);
    },
  };
}

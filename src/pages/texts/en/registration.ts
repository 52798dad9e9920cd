/** English: initial access tokens, in the platform console. */
import type { Shape } from "../shape.ts";

export const registrationTexts = {
  registration: {
    title: "Registration tokens",
    lead: "With a token, applications register themselves.",
    leadOff:
      "Registration is off: set SERVICE_OAUTH_REGISTRATION to token. Until then, no application can use a token.",
    leadOpen: "Registration is open: applications need no token.",
    none: "There are no tokens yet.",
    create: "New token",
    name: "Name",
    nameHint: "For example the team or the product that receives the token.",
    maxUses: "Registrations",
    maxUsesHint: "How many applications can register with the token, 1 to 1,000.",
    days: "Days of validity",
    daysHint: "1 to 365 days.",
    createAction: "Create token",
    createdTitle: "The new registration token",
    used: "Used",
    uses: (uses: string, max: string) => `${uses} of ${max}`,
    expires: "Expires",
    ended: "Expired",
    remove: "Delete",
    removeTitle: (name: string) => `Delete the token ${name}?`,
    removeText: "No further application can register with the token. Registered applications stay.",
    deleted: "The token is deleted.",
    full: "There are already 100 tokens. Delete an unused token.",
  },
};

export type RegistrationTexts = Shape<typeof registrationTexts>;

import type { Particulars } from "./particular.ts";

const CLAIMS = { id_token: { email: null, email_verified: null, preferred_username: null } };

/** Twitch returns claims beside the subject only for the parameter `claims` (OpenID Connect Core, section 5.5). */
export const twitch: Particulars = { authorizationParameters: { claims: JSON.stringify(CLAIMS) } };

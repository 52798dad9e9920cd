export const SETUP_INTENTS = ["domains", "connection", "directory"] as const;
export type SetupIntent = (typeof SETUP_INTENTS)[number];

export const SETUP_LINK_STATUSES = ["pending", "begun", "completed", "revoked", "expired"] as const;
export type SetupLinkStatus = (typeof SETUP_LINK_STATUSES)[number];

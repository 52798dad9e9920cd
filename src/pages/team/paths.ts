export const TEAM = "/team";
export const MEMBER_SESSIONS = "/team/sessions";
export const TEAM_APPLICATIONS = "/team/applications";

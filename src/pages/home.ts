import type { SessionView } from "../models/session/session.ts";
import { publicPage, seeOther } from "./page.ts";

/** `/`: to the account, for a session bound to an organization to the team, for an anonymous visitor to the sign-in. */
export const homePage = publicPage({
  path: "/",
  continues: true,
  boundSession: "served",
  get: ({ caller }) => seeOther(caller ? homeOf(caller.session) : "/sign-in"),
});

const homeOf = ({ organizationBound }: SessionView) => (organizationBound ? "/team" : "/account");

import { publicPage, seeOther } from "./page.ts";

/** `/`: to the account of a signed-in user, else to the sign-in. */
export const homePage = publicPage({
  path: "/",
  continues: true,
  get: ({ caller }) => seeOther(caller ? "/account" : "/sign-in"),
});

import { publicPage, seeOther } from "./page.ts";

/** `/`: to the account of somebody who is signed in, else to the sign-in. */
export const homePage = publicPage({
  path: "/",
  continues: true,
  get: ({ caller }) => seeOther(caller ? "/account" : "/sign-in"),
});

/** The variables of the lifetimes of tokens and sessions, in seconds. */
import { REFRESH_REPEAT_SECONDS_DEFAULT, REFRESH_REPEAT_SECONDS_MAX } from "../limits/limits.ts";
import { wholeNumber } from "./parsers.ts";
import { variable } from "./variable.ts";

export const TOKEN_VARIABLES = {
  SERVICE_ACCESS_EXPIRY_SECS: variable(wholeNumber(10, 86_400), 900, "900", "life of an access token"),
  SERVICE_REFRESH_COOKIE_MAX_AGE_SECS: variable(
    wholeNumber(60, 31_536_000),
    2_592_000,
    "2592000",
    "life of a refresh token and its cookie",
  ),
  SERVICE_REFRESH_REPEAT_SECONDS: variable(
    wholeNumber(0, REFRESH_REPEAT_SECONDS_MAX),
    REFRESH_REPEAT_SECONDS_DEFAULT,
    "10",
    "how long the previous refresh token of a session repeats the response, after a lost response; at most 600",
  ),
  SERVICE_SESSION_MAX_AGE_SECS: variable(
    wholeNumber(60, 315_360_000),
    7_776_000,
    "7776000",
    "end of a session, however often it is refreshed",
  ),
} as const;

import { Type } from "@sinclair/typebox";
import { TOKEN_MAX_CHARACTERS } from "../../base/limits.ts";

export const StartQuery = Type.Object({
  redirect_to: Type.Optional(Type.String({ description: "a path of this site, where to go afterwards", default: "/" })),
});

const parameter = Type.Optional(Type.String({ maxLength: TOKEN_MAX_CHARACTERS }));

/** What a provider answers (RFC 6749, section 4.1.2; RFC 9207); its other parameters are not looked at. */
export const CallbackParameters = Type.Object({ state: parameter, code: parameter, error: parameter, iss: parameter });

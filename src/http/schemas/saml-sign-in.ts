import { Type } from "@sinclair/typebox";

/** Longer values are read and refused: a form field never refuses the request. */
export const AcsForm = Type.Object(
  {
    SAMLResponse: Type.Optional(
      Type.String({ description: "the response in Base64, at most 256 KiB", examples: ["PHNhbWxwOlJlc3BvbnNl"] }),
    ),
    RelayState: Type.Optional(
      Type.String({
        description: "the handle of the request, or a path of this origin for a restarted sign-in",
        examples: ["Zk9uT3J2c1Jk0n3mQ2pYxw8bHcVtLrGfE5sDiA7oKuM"],
      }),
    ),
  },
  { $id: "SamlResponseForm" },
);

export const SamlFinishQuery = Type.Object({
  b: Type.Optional(
    Type.String({ description: "names the cookie of the browser that began the sign-in", examples: ["9f86d081"] }),
  ),
  h: Type.Optional(
    Type.String({
      description: "the handle of the outcome",
      examples: ["Zk9uT3J2c1Jk0n3mQ2pYxw8bHcVtLrGfE5sDiA7oKuM"],
    }),
  ),
});

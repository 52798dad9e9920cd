import { Type } from "@sinclair/typebox";
import { Timestamp, Uuid } from "./common.ts";

/** A PublicKeyCredential as `toJSON()` of the browser writes it (WebAuthn level 3, section 5.1). The ceremony judges it. */
const Credential = Type.Record(Type.String(), Type.Unknown(), {
  description: "PublicKeyCredential, as its toJSON() gives it",
});

export const CeremonyOptions = Type.Object({
  publicKey: Type.Record(Type.String(), Type.Unknown(), { description: "WebAuthn options in their JSON form" }),
});

export const CompleteRegistrationBody = Type.Object({
  credential: Credential,
  name: Type.Optional(Type.String({ description: "1 to 120 characters" })),
});

export const CompleteSignInBody = Type.Object({ credential: Credential });

export const PasskeyItem = Type.Object({
  id: Uuid,
  name: Type.String(),
  created_at: Timestamp,
  last_used_at: Type.Union([Timestamp, Type.Null()]),
  transports: Type.Array(Type.String()),
  device_type: Type.String({ description: "singleDevice or multiDevice" }),
  backed_up: Type.Boolean(),
  aaguid: Uuid,
});

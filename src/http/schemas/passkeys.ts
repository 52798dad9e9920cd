import { Type } from "@sinclair/typebox";
import { name, nullable, oneOf, Timestamp, text, Uuid } from "./common.ts";

/** WebAuthn level 3, section 5.1: the browser's `toJSON()`. The ceremony validates the content. */
const credential = (response: object) =>
  Type.Record(Type.String(), Type.Unknown(), {
    description: "PublicKeyCredential, as returned by its toJSON()",
    examples: [{ id: "c2FtcGxl", rawId: "c2FtcGxl", type: "public-key", response, clientExtensionResults: {} }],
  });
const options = (example: object, $id: string) =>
  Type.Object(
    {
      publicKey: Type.Record(Type.String(), Type.Unknown(), {
        description: "WebAuthn options in their JSON form",
        examples: [example],
      }),
    },
    { $id },
  );

export const SignInOptions = options(
  { challenge: "Y2hhbGxlbmdl", rpId: "auth.acme.test", timeout: 300_000, userVerification: "required" },
  "PasskeySignInOptions",
);
export const StepUpOptions = options(
  {
    challenge: "Y2hhbGxlbmdl",
    rpId: "auth.acme.test",
    timeout: 300_000,
    userVerification: "required",
    allowCredentials: [{ id: "c2FtcGxl", type: "public-key", transports: ["internal"] }],
  },
  "PasskeyStepUpOptions",
);
export const RegistrationOptions = options(
  {
    challenge: "Y2hhbGxlbmdl",
    rp: { id: "auth.acme.test", name: "auth.acme.test" },
    user: { id: "dXNlcg", name: "ada@example.com", displayName: "Ada Lovelace" },
    pubKeyCredParams: [{ type: "public-key", alg: -7 }],
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  },
  "PasskeyRegistrationOptions",
);

export const CompleteRegistrationBody = Type.Object(
  {
    credential: credential({ clientDataJSON: "e30", attestationObject: "o2M" }),
    name: Type.Optional(name("Laptop", "displayed name of the passkey")),
  },
  { $id: "CompletePasskeyRegistrationRequest" },
);

export const RenamePasskeyBody = Type.Object(
  { name: name("Laptop", "displayed name of the passkey") },
  { $id: "RenamePasskeyRequest" },
);

const assertion = credential({
  clientDataJSON: "e30",
  authenticatorData: "SZYN",
  signature: "MEUC",
  userHandle: "dQ",
});

export const CompleteSignInBody = Type.Object({ credential: assertion }, { $id: "CompletePasskeySignInRequest" });

export const CompleteStepUpBody = Type.Object({ credential: assertion }, { $id: "CompletePasskeyStepUpRequest" });

export const PasskeyItem = Type.Object(
  {
    id: Uuid,
    name: text(
      "Laptop",
      "default: the model of the authenticator, or `Passkey`, with the day if another passkey has the name",
    ),
    created_at: Timestamp,
    last_used_at: nullable(Timestamp),
    transports: Type.Array(text("internal")),
    device_type: oneOf(["singleDevice", "multiDevice"]),
    backed_up: Type.Boolean({ examples: [true] }),
    aaguid: Uuid,
  },
  { $id: "Passkey" },
);

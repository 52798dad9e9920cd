/**
 * A software passkey: registers and signs like an authenticator (WebAuthn level 3, sections 6.1 and 6.5), within
 * microseconds.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import { ISSUER } from "./replica.ts";

/** Flags of authenticator data (section 6.1): user present, user verified, attested credential data included. */
const PRESENT_AND_VERIFIED = 0x01 | 0x04;
const ATTESTED = 0x40;
const NIL_AAGUID = "00000000-0000-0000-0000-000000000000";
const ID_BYTES = 32;

/** The options of a registration or authentication ceremony that an authenticator reads. */
interface CeremonyOptions {
  readonly challenge: string;
  readonly user?: { readonly id: string };
}

export class Authenticator {
  /** The counter grows with each use. A test sets the counter back to imitate an earlier copy of the key. */
  counter = 0;
  readonly #origin: string;
  readonly #aaguid: Buffer;
  readonly #id: Buffer;
  readonly #key: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  #userHandle = "";

  constructor(origin = new URL(ISSUER).origin, idBytes = ID_BYTES, aaguid = NIL_AAGUID) {
    this.#origin = origin;
    this.#aaguid = Buffer.from(aaguid.replaceAll("-", ""), "hex");
    this.#id = randomBytes(idBytes);
    this.#key = generateKeyPairSync("ec", { namedCurve: "P-256" });
  }

  get id(): string {
    return this.#id.toString("base64url");
  }

  /** Returns the credential of navigator.credentials.create(). */
  create(options: object) {
    const { challenge, user } = options as CeremonyOptions;
    this.#userHandle = user?.id ?? "";
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const attested = Buffer.concat([this.#aaguid, length, this.#id, this.#coseKey()]);
    const authData = Buffer.concat([this.#authenticatorData(PRESENT_AND_VERIFIED | ATTESTED), attested]);
    const attestation = new Map<string, unknown>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", new Uint8Array(authData)],
    ]);
    const attestationObject = Buffer.from(isoCBOR.encode(attestation as never)).toString("base64url");
    const clientDataJSON = this.#clientData("webauthn.create", challenge).toString("base64url");
    return this.#credential({ clientDataJSON, attestationObject, transports: ["internal"] });
  }

  /** Returns the credential of navigator.credentials.get(). */
  get(options: object) {
    const client = this.#clientData("webauthn.get", (options as CeremonyOptions).challenge);
    this.counter += 1;
    const authenticatorData = this.#authenticatorData(PRESENT_AND_VERIFIED);
    const signed = Buffer.concat([authenticatorData, createHash("sha256").update(client).digest()]);
    return this.#credential({
      clientDataJSON: client.toString("base64url"),
      authenticatorData: authenticatorData.toString("base64url"),
      signature: sign("sha256", signed, this.#key.privateKey).toString("base64url"),
      userHandle: this.#userHandle,
    });
  }

  #credential(response: object) {
    const { id } = this;
    return { id, rawId: id, type: "public-key", response, clientExtensionResults: {} };
  }

  #authenticatorData(flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([
      createHash("sha256").update(new URL(this.#origin).hostname).digest(),
      Buffer.from([flags]),
      counter,
    ]);
  }

  /** The key is encoded for ES256 over P-256 (RFC 9053, sections 2.1 and 7.1.1). */
  #coseKey(): Buffer {
    const { x = "", y = "" } = this.#key.publicKey.export({ format: "jwk" });
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]);
    return Buffer.from(isoCBOR.encode(key as never));
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }
}

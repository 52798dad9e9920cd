/**
 * A witness (c2sp.org/tlog-witness) without trust in the log: the witness cosigns only extensions of trees that the
 * witness has seen.
 */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { cosignedMessage } from "../../clients/js/src/audit/note.ts";
import { sha256 } from "../../clients/js/src/audit/sha256.ts";
import {
  isSignedBy,
  readCheckpoint,
  readNote,
  readVerifierKey,
  type VerifierKey,
  verifyConsistency,
} from "../../clients/js/src/audit.ts";

const COSIGNATURE = 4;

export class TestWitness {
  readonly name: string;
  readonly verifierKey: string;
  readonly url: string;
  /** The keys of known logs. */
  readonly logs: VerifierKey[] = [];
  /** The last cosigned tree by the name of the log. */
  readonly seen = new Map<string, { readonly size: number; readonly root: Uint8Array }>();
  /** Replaces the cosignature in the response. */
  disguise = (cosignature: string): string => cosignature;
  /** Set while the witness hangs: requests wait for the end of the promise. */
  hangsUntil: Promise<void> | undefined;
  /** Each status that the witness has returned. */
  readonly answered: number[] = [];
  readonly #server: Bun.Server<undefined>;
  readonly #privateKey: KeyObject;
  readonly #keyHash: Buffer;

  constructor(name: string) {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const typed = Buffer.concat([
      Buffer.from([COSIGNATURE]),
      publicKey.export({ format: "der", type: "spki" }).subarray(-32),
    ]);
    this.name = name;
    this.#privateKey = privateKey;
    this.#keyHash = Buffer.from(sha256(Buffer.concat([Buffer.from(`${name}\n`), typed]))).subarray(0, 4);
    this.verifierKey = `${name}+${this.#keyHash.toString("hex")}+${typed.toString("base64")}`;
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        const body = await request.text();
        await this.hangsUntil;
        const response = await this.#addCheckpoint(body);
        this.answered.push(response.status);
        return response;
      },
    });
    this.url = this.#server.url.origin;
  }

  stop(): void {
    void this.#server.stop(true);
  }

  async #addCheckpoint(body: string): Promise<Response> {
    const split = body.indexOf("\n\n");
    const [old = "", ...proof] = body.slice(0, split).split("\n");
    const note = body.slice(split + 2);
    const signed = readNote(note);
    const checkpoint = readCheckpoint(signed.text);
    const log = this.logs.find(({ name }) => name === checkpoint.origin);
    if (!log) return new Response(null, { status: 404 });
    if (!(await isSignedBy(signed, log))) return new Response(null, { status: 403 });
    const seen = this.seen.get(checkpoint.origin) ?? { size: 0, root: sha256(new Uint8Array()) };
    if (old !== `old ${seen.size}`) return new Response(`${seen.size}\n`, { status: 409 });
    const hashes = proof.map((line) => new Uint8Array(Buffer.from(line, "base64")));
    if (!verifyConsistency(seen, checkpoint, hashes)) return new Response(null, { status: 422 });
    this.seen.set(checkpoint.origin, checkpoint);
    return new Response(this.disguise(this.#cosign(signed.text)));
  }

  #cosign(text: string): string {
    const seconds = BigInt(Math.floor(Date.now() / 1000));
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(seconds);
    const signature = sign(null, Buffer.from(cosignedMessage(text, seconds)), this.#privateKey);
    return `\u2014 ${this.name} ${Buffer.concat([this.#keyHash, time, signature]).toString("base64")}\n`;
  }

  /** Adds the verifier key of a log to the known keys. */
  trust(verifierKey: string): void {
    this.logs.push(readVerifierKey(verifierKey));
  }
}

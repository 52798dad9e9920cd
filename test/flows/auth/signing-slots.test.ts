/**
 * A session moves or rotates only if the tokens will be signed: otherwise the holder would look like a thief of the old
 * tokens.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { refresh } from "../../../src/flows/auth/refresh.ts";
import { switchOrganization } from "../../../src/flows/auth/switch-organization.ts";
import { requestEmailCode } from "../../../src/flows/email-otp/request.ts";
import { verifyEmailCode } from "../../../src/flows/email-otp/verify.ts";
import { challenge } from "../../../src/flows/mfa/challenge.ts";
import { verifySecondFactor } from "../../../src/flows/mfa/verify.ts";
import { beginPasskeySignIn, completePasskeySignIn } from "../../../src/flows/passkeys/sign-in.ts";
import type { SignPool } from "../../../src/pool/pool.ts";
import {
  callerOf,
  clientAt,
  codeOf,
  enrolledAccount,
  memberOfTwo,
  passwordShown,
  registerAccount,
  totpAt,
  unwrap,
  wrongTotpAt,
} from "../../support/accounts.ts";
import { newEmail } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { otherCode } from "../../support/mail.ts";

let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const idle = { queued: 0, workers: 1, secondsToDrain: () => 1, close: async () => undefined };
/** A pool without a free slot. */
const full: SignPool = {
  ...idle,
  admit: () => undefined,
  run: () => Promise.reject(new Error("a job without a slot")),
};

/** A pool that admits jobs and never signs. `lanes` records the fairness keys of admissions and jobs. */
function failing(code: "deadline" | "queue_full" | "worker_died") {
  const lanes: (string | undefined)[] = [];
  const pool: SignPool = {
    ...idle,
    admit(lane) {
      lanes.push(lane);
      return () => undefined;
    },
    async run(_, lane) {
      lanes.push(lane);
      return { ok: false, code };
    },
  };
  return { pool, lanes };
}

/** Returns the row of a session. */
async function rowOf({ id }: { readonly id: string }) {
  const [row] = await flows.sql`select organization_id, refresh_jti from sessions where id = ${id}`;
  return row;
}

const presentTo = (signing: SignPool, refreshToken: string) =>
  refresh({ ...flows.deps, signing }, { refreshToken, admissionOf: () => undefined, client: clientAt() });

describe("while the signing pool has no slot", () => {
  test("a refresh is refused before anything is rotated, and the same token is good afterwards", async () => {
    const { signedIn, caller } = await memberOfTwo(flows);
    const before = await rowOf(caller);
    const { refreshToken } = signedIn.tokens;
    expect(codeOf(await presentTo(full, refreshToken))).toBe("rate_limited");
    expect(await rowOf(caller)).toEqual(before);
    expect(codeOf(await presentTo(flows.deps.signing, refreshToken))).toBe("ok");
  });

  test("a challenge is refused whether the code is right or wrong; nothing is counted or used up", async () => {
    const account = await enrolledAccount(flows);
    const mfaToken = await passwordShown(flows, account.email);
    const input = { admission: undefined, mfaToken, client: clientAt() };
    const right = totpAt(flows, account.secret);
    for (const code of [right, ...Array.from({ length: 6 }, () => wrongTotpAt(flows, account.secret))])
      expect(codeOf(await challenge({ ...flows.deps, signing: full }, { ...input, factors: { code } }))).toBe(
        "rate_limited",
      );
    expect(codeOf(await challenge(flows.deps, { ...input, factors: { code: right } }))).toBe("ok");
  });

  test("a step-up is refused whether the code is right or wrong; nothing is counted or used up", async () => {
    const { signedIn, secret } = await enrolledAccount(flows);
    const input = { caller: await callerOf(flows, signedIn), client: clientAt() };
    const right = totpAt(flows, secret);
    for (const code of [right, ...Array.from({ length: 6 }, () => wrongTotpAt(flows, secret))])
      expect(codeOf(await verifySecondFactor({ ...flows.deps, signing: full }, { ...input, factors: { code } }))).toBe(
        "rate_limited",
      );
    expect(codeOf(await verifySecondFactor(flows.deps, { ...input, factors: { code: right } }))).toBe("ok");
  });

  test("an emailed code is refused whether it is right, wrong or of no account; no attempt is counted", async () => {
    const { email } = await registerAccount(flows);
    await requestEmailCode(flows.deps, { email, client: clientAt() });
    await flows.deps.background.idle();
    const { code: right } = await flows.newestEmail(email, "email_code");
    const show = (signing: SignPool, address: string, code: string) =>
      verifyEmailCode({ ...flows.deps, signing }, { email: address, code, trustToken: undefined, client: clientAt() });
    for (const code of [right, ...Array.from({ length: 6 }, () => otherCode(right))])
      expect(codeOf(await show(full, email, code))).toBe("rate_limited");
    expect(codeOf(await show(full, newEmail(), right))).toBe("rate_limited");
    expect(codeOf(await show(flows.deps.signing, email, right))).toBe("ok");
  });

  test("a wrong code of a stranger holds no slot while its answer waits", async () => {
    let taken = 0;
    const takenMeanwhile: number[] = [];
    const counting: SignPool = {
      ...full,
      admit() {
        taken += 1;
        return () => {
          taken -= 1;
        };
      },
    };
    const clock = { ...flows.deps.clock, sleep: async () => void takenMeanwhile.push(taken) };
    const input = { email: newEmail(), code: "000000", trustToken: undefined, client: clientAt() };
    expect(codeOf(await verifyEmailCode({ ...flows.deps, clock, signing: counting }, input))).not.toBe("ok");
    expect(takenMeanwhile).toEqual([0]);
  });

  test("a passkey is refused before its challenge is used up", async () => {
    const { challenge: bytes } = (await beginPasskeySignIn(flows.deps)) as { readonly challenge: string };
    const clientDataJSON = Buffer.from(JSON.stringify({ challenge: bytes })).toString("base64url");
    const credential = { id: "x", rawId: "x", type: "public-key", response: { clientDataJSON } };
    const show = (signing: SignPool) =>
      completePasskeySignIn({ ...flows.deps, signing }, { credential, client: clientAt() });
    expect(codeOf(await show(full))).toBe("rate_limited");
    expect(await show(flows.deps.signing)).toMatchObject({ error: { cause: "unknown_credential" } });
  });

  test("a session does not move to another organization", async () => {
    const { signedIn, caller, other } = await memberOfTwo(flows);
    const before = await rowOf(caller);
    const input = { caller, organizationId: other, client: clientAt() };
    expect(codeOf(await switchOrganization({ ...flows.deps, signing: full }, input))).toBe("rate_limited");
    expect(await rowOf(caller)).toEqual(before);
    expect(codeOf(await presentTo(flows.deps.signing, signedIn.tokens.refreshToken))).toBe("ok");
  });
});

describe.each(["deadline", "queue_full", "worker_died"] as const)(
  "when the pool fails with %s after the write",
  (code) => {
    test("a refresh gives valid tokens, and the user's id is the key of the turn", async () => {
      const { signedIn, caller, userId } = await memberOfTwo(flows);
      const { pool, lanes } = failing(code);
      const { tokens } = unwrap(await presentTo(pool, signedIn.tokens.refreshToken));
      expect(lanes).toEqual([userId, userId]);
      expect((await callerOf(flows, { tokens })).id).toBe(caller.id);
      expect(codeOf(await presentTo(flows.deps.signing, tokens.refreshToken))).toBe("ok");
    });

    test("a moved session gets its tokens", async () => {
      const { caller, other } = await memberOfTwo(flows);
      const input = { caller, organizationId: other, client: clientAt() };
      const moved = unwrap(await switchOrganization({ ...flows.deps, signing: failing(code).pool }, input));
      expect(await callerOf(flows, moved)).toMatchObject({ id: caller.id, organizationId: other });
    });
  },
);

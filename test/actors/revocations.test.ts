import { describe, expect, test } from "bun:test";
import { revocations } from "../../src/actors/revocations.ts";
import { systemClock } from "../../src/base/clock.ts";
import type { Database } from "../../src/database/database.ts";
import type { SessionEvent } from "../../src/models/session/revocation.ts";
import { localState } from "../../src/state/local.ts";
import { createLogger } from "../../src/telemetry/log.ts";
import { silentTelemetry } from "../support/telemetry.ts";

const LOAD_MS = 20;

/** A slow database that contains every session and counts the queries for a session. */
function slowDatabase() {
  const asked: string[] = [];
  const database: Database = {
    async run(statement) {
      if (statement === "session_event.since")
        return { events: [], position: { database: "x", watermark: "1", open: [], next: "1" } } as never;
      asked.push(statement);
      await Bun.sleep(LOAD_MS);
      return { id: "mine", expiresAt: Date.now() + 60_000 } as never;
    },
    transaction: () => Promise.reject(new Error("not used")),
    close: async () => undefined,
  };
  return { database, asked };
}

function changed(sessionId: string): SessionEvent {
  const at = Date.now();
  return { sessionId, kind: "changed", reason: "test", at, expiresAt: at + 60_000, xid: "5" };
}

async function startedActor() {
  const { database, asked } = slowDatabase();
  const log = await createLogger({ level: "silent", pretty: false, traceIds: () => undefined });
  const actor = revocations({
    database,
    state: localState(systemClock),
    clock: systemClock,
    log,
    telemetry: await silentTelemetry(),
  });
  await actor.start();
  while (!actor.current()) await Bun.sleep(1);
  return { actor, asked };
}

describe("views of sessions", () => {
  test("are kept while 1,000 events a second of other sessions arrive", async () => {
    const { actor, asked } = await startedActor();
    const flood = setInterval(
      () => void actor.announce(Array.from({ length: 5 }, () => changed(crypto.randomUUID()))),
      5,
    );
    for (let check = 0; check < 100; check += 1) {
      await actor.session("mine");
      await Bun.sleep(2);
    }
    clearInterval(flood);
    expect(asked).toEqual(["session.find_live"]);
    await actor.stop();
  });

  test("are not kept after an event of the same session during the read", async () => {
    const { actor, asked } = await startedActor();
    const loading = actor.session("mine");
    await actor.announce([changed("mine")]);
    await loading;
    await actor.session("mine");
    await actor.session("mine");
    expect(asked).toHaveLength(2);
    await actor.stop();
  });

  test("are not kept after a change of the session by this replica during the read", async () => {
    const { actor, asked } = await startedActor();
    const loading = actor.session("mine");
    actor.forget("mine");
    await loading;
    await actor.session("mine");
    await actor.session("mine");
    expect(asked).toHaveLength(2);
    await actor.stop();
  });
});

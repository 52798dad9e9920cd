/** A database that records the text of every statement under the name of the running operation. */
import postgres from "postgres";
import type { Database } from "../../src/database/database.ts";

export interface RecordedStatement {
  readonly name: string;
  readonly text: string;
}

export interface RecordingDatabase {
  readonly database: Database;
  /** Returns the statements since the last call, in order. */
  recorded(): readonly RecordedStatement[];
}

/** Opens a single connection and runs one statement at a time, so that each text belongs to the running name. */
export function recordingDatabase(url: string): RecordingDatabase {
  let name = "";
  let statements: RecordedStatement[] = [];
  const debug = (_connection: number, text: string) => {
    if (name !== "" && !/^(begin|commit|rollback)\b/i.test(text.trim())) statements.push({ name, text });
  };
  const sql = postgres(url, { max: 1, debug });
  // The driver reads the types of the server before the first statement.
  let turn: Promise<unknown> = sql`select 1`.execute();

  function inTurn<T>(statement: string, work: () => Promise<T>): Promise<T> {
    const done = turn.then(async () => {
      name = statement;
      return await work();
    });
    turn = done.catch(() => undefined);
    return done;
  }

  return {
    database: {
      run: (statement, work) => inTurn(statement, () => work(sql)),
      transaction: (statement, work) =>
        inTurn(statement, async () => (await sql.begin(work)) as Awaited<ReturnType<typeof work>>),
      close: () => sql.end(),
    },
    recorded() {
      const noted = statements;
      statements = [];
      return noted;
    },
  };
}

/** Sends a list to the database of the address, and once more when its input ends; prints what comes back. */
import { errorCode, openDatabase } from "../../src/base/database.ts";
import { silentTelemetry } from "../support/telemetry.ts";

process.on("unhandledRejection", () => undefined);
const [url = ""] = process.argv.slice(2);
const database = openDatabase({ url, connections: 1, telemetry: await silentTelemetry() });
const list = () => database.run("test.list", (sql) => sql<{ ids: string[] }[]>`select ${[]}::uuid[] as ids`);
await list().catch((error) => console.log(errorCode(error)));
await Bun.stdin.text();
const [row] = await list();
console.log(JSON.stringify(row?.ids));
process.exit(0);

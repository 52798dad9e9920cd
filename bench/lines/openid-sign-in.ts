import { randomBytes } from "node:crypto";
import { allowsReceivers, testCertificate } from "../../test/support/certificate.ts";
import { ForgedProvider } from "../../test/support/identity/forged-provider.ts";
import { type Costs, describeCosts, withCosts } from "../cpu.ts";
import { type Bench, fixed, median, type Row, runJson, startService } from "../harness.ts";
import type { OpenidLoad } from "../openid-load.ts";
import { insertOpenidCompany } from "../sso-companies.ts";

const CLIENTS = 16;
const EMPLOYEES = 32;
const SECONDS = 4;
/** Until every employee has signed in, and the runtime has compiled the code. */
const WARM_UP_SECONDS = 20;
const MAIN_THREAD_GOAL_MS = 2;

/**
 * Line 19: the main thread of a sign-in by OpenID Connect, of employees who have signed in before. The identity
 * provider runs in the process of the bench.
 */
export async function openidSignInLine(bench: Bench): Promise<Row[]> {
  const provider = new ForgedProvider(testCertificate());
  const configKey = randomBytes(32);
  const connection = { name: "openid", issuer: provider.url, configKey };
  const { connectionId, domain } = await insertOpenidCompany(bench.databaseUrl, connection);
  provider.claims = employeesOf(domain);
  const service = await startService(bench, {
    ...allowsReceivers(),
    SERVICE_CONFIG_KEY: configKey.toString("base64"),
  });
  const load = (seconds: number) => {
    const settings = { url: service.url, connectionId, clients: CLIENTS, seconds };
    return runJson<{ perSecond: number }>("bench/openid-load.ts", [JSON.stringify(settings satisfies OpenidLoad)]);
  };
  await load(WARM_UP_SECONDS);
  const costs: Costs[] = [];
  const rates: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const measured = await withCosts(bench, service, SECONDS, () => load(SECONDS));
    costs.push(measured.costs);
    rates.push(measured.load.perSecond);
  }
  await service.stop();
  const mainMs = median(costs.map((each) => each["main thread"]));
  const [last] = costs.slice(-1);
  const row: Row = {
    line: "19",
    work: `main thread of a sign-in by OpenID Connect, ${CLIENTS} clients`,
    measured: `${fixed(mainMs)} ms`,
    compared: `${fixed(median(rates))} sign-ins a second`,
    ratio: "",
    goal: `at most ${MAIN_THREAD_GOAL_MS} ms`,
    reached: mainMs <= MAIN_THREAD_GOAL_MS,
    score: mainMs,
    ...(last ? { cpu: describeCosts(last) } : {}),
  };
  return [row];
}

/** Claims of the employees in turn: every ID token reads `sub` first, then the address. */
function employeesOf(domain: string): ForgedProvider["claims"] {
  let signIns = 0;
  return {
    get sub() {
      signIns += 1;
      return `employee-${signIns % EMPLOYEES}`;
    },
    get email() {
      return `employee-${signIns % EMPLOYEES}@${domain}`;
    },
    email_verified: true,
  };
}

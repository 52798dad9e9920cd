import postgres from "postgres";
import { DEFAULT_POLICY, type PolicyInForce } from "../../src/vocabulary/policy-settings.ts";
import {
  type Account,
  alternate,
  type Bench,
  fixed,
  type Row,
  registerAccounts,
  requestsPerSecond,
  startService,
  whole,
} from "../harness.ts";

const RATIO_MIN = 0.95;
/** Until the runtime has compiled the code of a check, the side that is measured first would be the slower one. */
const WARM_UP_SECONDS = 4;
/** Short rounds, also in a quick run: the goal is closer to 1 than a machine with further work is steady. */
const ROUNDS = 9;
const ROLES = 5;
/** Every rule that the check of a session reads, with 64 address ranges, of which the last contains the client. */
const POLICY: PolicyInForce = {
  ...DEFAULT_POLICY,
  mfa: "required",
  mfaGraceDays: 30,
  mfaSince: new Date().toISOString(),
  methods: ["password", "passkey"],
  sessionMaxHours: 24,
  sessionIdleMinutes: 600,
  allowedIps: [...Array.from({ length: 63 }, (_, index) => `10.${index}.0.0/16`), "127.0.0.0/8"],
  trustedBrowsers: false,
};

/** Line 21 compares the session check of an owner with policies and custom roles with the check of an owner without. */
export async function policyLine(bench: Bench): Promise<Row[]> {
  const service = await startService(bench);
  const [bound, free] = await registerAccounts(service.url, 2);
  if (!bound || !free) throw new Error("the accounts were not registered");
  await restrict(bench.databaseUrl, bound);
  const check = `${service.url}/v1/auth/session`;
  for (const { accessToken } of [bound, free]) requestsPerSecond(check, WARM_UP_SECONDS, 16, accessToken);
  const rate = await alternate(
    Math.max(bench.rounds, ROUNDS),
    async () => requestsPerSecond(check, 1, 16, bound.accessToken),
    async () => requestsPerSecond(check, 1, 16, free.accessToken),
  );
  await service.stop();
  return [
    {
      line: "21",
      work: "GET /v1/auth/session with 64 ranges, policies and five custom roles",
      measured: `${whole(rate.a)}/s`,
      compared: `${whole(rate.b)}/s without policies and custom roles`,
      ratio: fixed(rate.ratio),
      goal: `at least ${RATIO_MIN}`,
      reached: rate.ratio >= RATIO_MIN,
      score: rate.ratio,
    },
  ];
}

/** Stores the policy and the roles of the account's organization by SQL: a change by the API requires a step-up. */
async function restrict(databaseUrl: string, { email }: Account): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 });
  const [member] = await sql`
    select m.user_id, m.organization_id from members m join users u on u.id = m.user_id where u.email = ${email}`;
  if (!member) throw new Error("the account has no membership");
  const { user_id: userId, organization_id: organizationId } = member;
  await sql`
    insert into organization_policies (organization_id, settings, policies_at, revision, updated_at)
    values (${organizationId}, ${sql.json(POLICY as never)}, now(), 1, now())`;
  await sql`
    with role as (
      insert into organization_roles (id, organization_id, key, name, description, permissions, created_at, updated_at)
      select gen_random_uuid(), ${organizationId}, 'role-' || n, 'Role ' || n, '', array['orders.read-' || n], now(),
             now()
      from generate_series(1, ${ROLES}::integer) n
      returning id
    )
    insert into member_roles (organization_id, user_id, role_id, source, granted_at)
    select ${organizationId}, ${userId}, id, 'manual', now() from role`;
  await sql.end();
}

/**
 * Sample users and a day of events for screenshots of the console. All addresses are reserved example addresses (RFC
 * 2606).
 */
import postgres from "postgres";

const COMPANIES = [
  ...["Northwind Traders", "Contoso", "Fabrikam", "Tailspin Toys", "Adventure Works", "Wide World Importers"],
  ...["Litware", "Proseware", "Blue Yonder Airlines", "Coho Vineyard", "Lucerne Publishing", "Margie's Travel"],
];
const PEOPLE = [
  ...["Grace Hopper", "Alan Turing", "Katherine Johnson", "Edsger Dijkstra", "Barbara Liskov", "Donald Knuth"],
  ...["Hedy Lamarr", "Tim Berners-Lee", "Margaret Hamilton", "John von Neumann", "Radia Perlman", "Konrad Zuse"],
];
const EVENTS = [
  ["auth.login", "success", '{"method": "password"}'],
  ["auth.login", "success", '{"method": "passkey"}'],
  ["auth.login", "failure", '{"reason": "wrong_password"}'],
  ["auth.mfa.challenge.succeeded", "success", "{}"],
  ["auth.logout", "success", "{}"],
  ["invitation.created", "success", '{"role": "member"}'],
  ["mfa.enabled", "success", "{}"],
] as const;
const HOURS = 24;
/** Events per hour, with a working day in the middle. */
const rate = (hour: number) => 14 + Math.round(46 * Math.sin((Math.PI * (hour + 3)) / 30) ** 2) + ((hour * 7) % 11);

const id = (kind: number, number: number) => `0191000${kind}-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
const slugOf = (name: string) => name.toLowerCase().replace(/[^a-z]+/g, "-");

/** Inserts the sample data once; a second call changes nothing. */
export async function samplePlatform(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  const now = Date.now();
  const ago = (minutes: number) => new Date(now - minutes * 60_000);
  const [there] = await sql`select 1 from organizations where id = ${id(1, 0)}`;
  if (!there) {
    await sql`insert into organizations ${sql(
      COMPANIES.map((name, n) => ({
        ...{ id: id(1, n), name, slug: slugOf(name), tier: n % 3 === 1 ? "enterprise" : "standard" },
        ...{ suspended_at: n === 4 ? ago(90) : null, created_at: ago(40 + n * n * 900), updated_at: ago(40) },
      })),
    )}`;
    await sql`insert into users ${sql(
      PEOPLE.map((name, n) => ({
        ...{ id: id(2, n), email: `${slugOf(name).split("-")[0]}@example.com`, display_name: name },
        ...{ email_verified_at: ago(30), controlled_at: ago(30), disabled_at: n === 6 ? ago(100) : null },
        ...{ platform_role: n === 4 ? "viewer" : null, last_organization_id: id(1, n) },
        ...{ last_login_at: ago(3 + n * 47), created_at: ago(30 + n * n * 800), updated_at: ago(30) },
      })),
    )}`;
    const joined = ago(20);
    await sql`insert into members ${sql(
      PEOPLE.map((_, n) => ({ organization_id: id(1, n), user_id: id(2, n), role: "owner", joined_at: joined })),
    )}`;
    await sql`insert into audit_logs ${sql(sampleEvents(ago))}`;
  }
  await sql.end();
}

function sampleEvents(ago: (minutes: number) => Date) {
  const hours = Array.from({ length: HOURS }, (_, hour) => Array.from({ length: rate(hour) }, (_, n) => [hour, n]));
  return hours.flat().map(([hour = 0, n = 0], index) => {
    const [action, outcome, metadata] = EVENTS[(index * 5) % EVENTS.length] ?? EVENTS[0];
    const person = (index * 7) % PEOPLE.length;
    return {
      ...{ event_id: id(3, index), timestamp: ago((HOURS - hour) * 60 - n * (60 / rate(hour)) + 5), action, outcome },
      ...{ organization_id: id(1, person), actor_id: id(2, person), actor_type: "user", resource_type: "session" },
      ...{ resource_id: id(4, index), ip_address: `203.0.113.${person + 7}`, request_id: id(5, index) },
      ...{ user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0" },
      metadata: JSON.parse(metadata),
    };
  });
}

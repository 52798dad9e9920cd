/**
 * Browsers of employees of a company with an identity provider by OpenID Connect, in a separate process. Argument: JSON
 * of `OpenidLoad`. Prints the sign-ins per second, as JSON.
 */
export interface OpenidLoad {
  readonly url: string;
  readonly connectionId: string;
  readonly clients: number;
  readonly seconds: number;
}

if (import.meta.main) {
  const load: OpenidLoad = JSON.parse(String(process.argv[2]));
  console.log(JSON.stringify({ perSecond: await signInsPerSecond(load) }));
  process.exit(0);
}

async function signInsPerSecond(load: OpenidLoad): Promise<number> {
  const endsAt = performance.now() + load.seconds * 1000;
  let done = 0;
  const browse = async () => {
    for (; performance.now() < endsAt; done += 1) await signIn(load);
  };
  await Promise.all(Array.from({ length: load.clients }, browse));
  return done / load.seconds;
}

/** Start, authorization and callback: two requests at the service, and the redirect of the identity provider. */
async function signIn({ url, connectionId }: OpenidLoad): Promise<void> {
  const started = await fetch(`${url}/v1/auth/sso/${connectionId}/start`, { redirect: "manual" });
  const cookie = started.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  // The certificate of the identity provider is known to the service only.
  const tls = { rejectUnauthorized: false };
  const authorized = await fetch(locationOf(started), { redirect: "manual", tls });
  const { pathname, search } = locationOf(authorized);
  const finished = await fetch(`${url}${pathname}${search}`, { headers: { accept: "application/json", cookie } });
  const text = await finished.text();
  if (!finished.ok) throw new Error(`a sign-in ended with the status ${finished.status}: ${text}`);
}

function locationOf(response: Response): URL {
  return new URL(response.headers.get("location") ?? "");
}

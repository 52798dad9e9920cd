/** What the two passkey islands share: the calls of the API, and the error line of the page. */

const csrf = () => /(?:^|; )service_csrf=([^;]*)/.exec(document.cookie)?.[1] ?? "";

export async function post(path: string, body?: unknown): Promise<Response> {
  return await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-csrf": csrf() },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

export function showError(hidden: boolean): void {
  const line = document.querySelector<HTMLElement>("[data-passkey-error]");
  if (line) line.hidden = hidden;
}

/** The person closed the browser's dialog, or a newer request replaced this one. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && (error.name === "NotAllowedError" || error.name === "AbortError");
}

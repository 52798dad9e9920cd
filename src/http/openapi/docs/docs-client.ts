/** The script of the page at /docs: search, languages of the examples, the reader's own values, links to operations. */
import {
  EXAMPLE_LANGUAGES,
  type ExampleLanguage,
  type ExampleRequest,
  type OwnValues,
  requestExample,
} from "./request-examples.ts";

const { base = "", session = "" } = document.body.dataset;
const search = document.querySelector<HTMLInputElement>("#search");
const choice = document.querySelector<HTMLSelectElement>("#language");
const operations = [...document.querySelectorAll<HTMLDetailsElement>("details.operation")];
let own: OwnValues = {};

/** A stored choice of an earlier visit; storage may be forbidden. */
function storedLanguage(): string {
  try {
    return localStorage.getItem("docs-language") ?? "";
  } catch {
    return "";
  }
}

function store(language: string): void {
  try {
    localStorage.setItem("docs-language", language);
  } catch {
    // The choice then counts for this page alone.
  }
}

const language = () => (choice?.value ?? "curl") as ExampleLanguage;

function render(operation: HTMLDetailsElement): void {
  const code = operation.querySelector<HTMLElement>("[data-request]");
  const request = JSON.parse(code?.dataset.request ?? "null") as ExampleRequest | null;
  if (code && request) code.textContent = requestExample(language(), base, request, own);
}

function renderOpen(): void {
  for (const operation of operations) if (operation.open) render(operation);
}

/** Every word occurs in the method, the path or the summary. */
function find(text: string): void {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  for (const operation of operations) {
    const content = operation.dataset.text ?? "";
    operation.hidden = !words.every((word) => content.includes(word));
  }
  for (const section of document.querySelectorAll<HTMLElement>("section[id]")) {
    const isEmpty = !section.querySelector("details.operation:not([hidden])");
    section.hidden = isEmpty;
    const link = document.querySelector<HTMLElement>(`nav a[href="#${CSS.escape(section.id)}"]`);
    if (link) link.hidden = isEmpty;
  }
  const none = document.querySelector<HTMLElement>("#none");
  if (none) none.hidden = operations.some((operation) => !operation.hidden);
}

/** Opens the operation of the address. */
function follow(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(target instanceof HTMLDetailsElement)) return;
  target.open = true;
  target.scrollIntoView();
}

/** The ids of the signed-in reader; a reader without a session keeps the names of the parameters. */
async function readOwnValues(): Promise<void> {
  const response = await fetch(session, { headers: { accept: "application/json" } });
  if (!response.ok) return;
  const { user } = (await response.json()) as { user: { user_id: string; organization_id: string } };
  own = { org_id: user.organization_id, user_id: user.user_id };
  const note = document.querySelector<HTMLElement>("#own");
  if (note) note.hidden = false;
  renderOpen();
}

for (const operation of operations) {
  operation.addEventListener("toggle", () => {
    if (operation.open) render(operation);
  });
}
search?.addEventListener("input", () => find(search.value));
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || (event.target as HTMLElement).closest("input, select, textarea")) return;
  event.preventDefault();
  search?.focus();
});
if (choice) {
  if (storedLanguage() in EXAMPLE_LANGUAGES) choice.value = storedLanguage();
  choice.addEventListener("change", () => {
    store(choice.value);
    renderOpen();
  });
}
for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
  button.addEventListener("click", async () => {
    const code = button.parentElement?.querySelector("code");
    await navigator.clipboard.writeText(code?.textContent ?? "");
    const text = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = text;
    }, 2000);
  });
}
addEventListener("hashchange", follow);
follow();
readOwnValues().catch(() => undefined);

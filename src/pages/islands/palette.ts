/**
 * Ctrl+K (Command+K) opens a dialog with the places of the navigation and, in the console, the searches of lists. The
 * field is a combobox (WAI-ARIA Authoring Practices): the focus stays in the field, arrows select an entry.
 */
interface Entry {
  readonly href: string;
  readonly text: string;
  /** The list with the entry. */
  readonly kind?: string;
}

/** The pause after a typed letter before the service is asked. */
const TYPING_MS = 150;

/** Stands for the typed text in the texts of searches and of an empty list. */
const TYPED = "%";
const opener = document.querySelector<HTMLButtonElement>("button[data-palette]");

function placesOf(typed: string): Entry[] {
  const links = document.querySelectorAll<HTMLAnchorElement>(".side nav a");
  return [...links]
    .map(({ href, textContent }) => ({ href, text: textContent ?? "" }))
    .filter(({ text }) => text.toLocaleLowerCase().includes(typed.toLocaleLowerCase()));
}

function searchesOf(typed: string, { dataset }: HTMLElement): Entry[] {
  if (typed === "") return [];
  const searches = JSON.parse(dataset.searches ?? "[]") as readonly (readonly [path: string, text: string])[];
  return searches.map(([path, text]) => ({
    href: `${path}?${new URLSearchParams({ q: typed })}`,
    text: text.replace(TYPED, () => typed),
  }));
}

function make<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, attributes: Record<string, string>) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Asks the service for users, organizations, applications, requests and settings; none after a failure. */
async function found(path: string, typed: string, signal: AbortSignal): Promise<readonly Entry[]> {
  try {
    const response = await fetch(`${path}?${new URLSearchParams({ q: typed })}`, { signal, redirect: "error" });
    return response.ok ? await response.json() : [];
  } catch {
    return [];
  }
}

function optionOf({ href, text, kind }: Entry, index: number): HTMLAnchorElement {
  const option = make("a", { role: "option", id: `palette-${index}`, href, tabindex: "-1" });
  option.textContent = kind === undefined ? text : `${text} · ${kind}`;
  return option;
}

function open(button: HTMLButtonElement): void {
  if (document.querySelector("dialog[open]")) return;
  const label = button.dataset.palette ?? "";
  const dialog = make("dialog", { class: "palette", "aria-label": label });
  const list = make("div", { role: "listbox", id: "palette-list", "aria-label": label });
  const empty = make("p", { class: "soft", role: "status" });
  const field = make("input", {
    ...{ type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": list.id },
    ...{ "aria-autocomplete": "list", "aria-label": label, placeholder: label, autocomplete: "off" },
  });
  let selected = 0;

  const select = (index: number) => {
    const options = [...list.children];
    selected = options.length === 0 ? 0 : (index + options.length) % options.length;
    for (const [each, option] of options.entries()) option.setAttribute("aria-selected", String(each === selected));
    field.setAttribute("aria-activedescendant", options[selected]?.id ?? "");
    options[selected]?.scrollIntoView({ block: "nearest" });
  };
  const display = (entries: readonly Entry[] = []) => {
    const typed = field.value.trim();
    // The entries of the service arrive later: an entry that the user has selected by an arrow stays selected.
    const kept = selected > 0 && entries.length > 0 ? list.querySelectorAll("a")[selected]?.href : undefined;
    list.replaceChildren(...[...placesOf(typed), ...entries, ...searchesOf(typed, button)].map(optionOf));
    const isEmpty = list.childElementCount === 0;
    list.hidden = isEmpty;
    empty.textContent = isEmpty ? (button.dataset.none ?? "").replace(TYPED, () => typed) : "";
    select(
      Math.max(
        0,
        [...list.querySelectorAll("a")].findIndex(({ href }) => href === kept),
      ),
    );
  };
  let asked = new AbortController();
  field.addEventListener("input", () => {
    display();
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    const [typed, path] = [field.value.trim(), button.dataset.find];
    if (typed === "" || path === undefined) return;
    setTimeout(async () => {
      const entries = signal.aborted ? [] : await found(path, typed, signal);
      if (!signal.aborted && entries.length > 0) display(entries);
    }, TYPING_MS);
  });
  field.addEventListener("keydown", (event) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    // Enter that ends the composition of a Japanese word selects nothing.
    if (event.key === "Enter" && !event.isComposing) list.querySelectorAll("a")[selected]?.click();
    else if (step === undefined) return;
    else select(selected + step);
    event.preventDefault();
  });
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close();
  });
  dialog.append(field, list, empty);
  document.body.append(dialog);
  display();
  dialog.showModal();
  field.focus();
}

if (opener) {
  opener.addEventListener("click", () => open(opener));
  document.addEventListener("keydown", (event) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isShortcut || event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    open(opener);
  });
}

export {};

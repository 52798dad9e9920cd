/** Displays the page of a confirmation or of a short form in a dialog. Without scripts the link leads to the page. */
const links = document.querySelectorAll<HTMLAnchorElement>("a[data-confirm]");

/** Undefined if the page cannot be loaded: the browser then follows the link. */
async function questionAt(address: string): Promise<Element | undefined> {
  try {
    const page = await fetch(address);
    const { body } = new DOMParser().parseFromString(await page.text(), "text/html");
    return (page.ok && body.querySelector("[data-question]")) || undefined;
  } catch {
    return undefined;
  }
}

async function ask(link: HTMLAnchorElement): Promise<void> {
  const question = await questionAt(link.href);
  if (!question) {
    location.assign(link.href);
    return;
  }
  // The second of two clicks finds the dialog of the first.
  if (document.querySelector("dialog")) return;
  const dialog = document.createElement("dialog");
  const title = question.querySelector("h1");
  if (title) title.id = "question";
  dialog.setAttribute("aria-labelledby", "question");
  const text = question.querySelector("p");
  if (text) {
    text.id = "question-text";
    dialog.setAttribute("aria-describedby", text.id);
  }
  question.classList.remove("panel");
  dialog.append(question);
  document.body.append(dialog);
  dialog.addEventListener("close", () => {
    dialog.remove();
    // Escape has also closed the menu of the link.
    const closedMenu = link.closest("details:not([open])");
    (closedMenu?.querySelector("summary") ?? link).focus();
  });
  dialog.querySelector("[data-cancel]")?.addEventListener("click", (event) => {
    event.preventDefault();
    dialog.close();
  });
  dialog.showModal();
  // A form has its first field marked. Else Cancel has the focus: the first Enter must not confirm a loss.
  dialog.querySelector<HTMLElement>("[autofocus], [data-cancel]")?.focus();
}

for (const link of links) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    void ask(link);
  });
}

export {};

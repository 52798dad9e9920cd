/** Shows the page that asks once more in a dialog. Without scripts its link leads to that page. */
const links = document.querySelectorAll<HTMLAnchorElement>("a[data-confirm]");

async function ask(link: HTMLAnchorElement): Promise<void> {
  const page = await fetch(link.href);
  const question = new DOMParser().parseFromString(await page.text(), "text/html").querySelector("[data-question]");
  if (!page.ok || !question) {
    location.assign(link.href);
    return;
  }
  const dialog = document.createElement("dialog");
  const title = question.querySelector("h1");
  if (title) title.id = "question";
  dialog.setAttribute("aria-labelledby", "question");
  question.classList.remove("panel");
  dialog.append(question);
  document.body.append(dialog);
  dialog.addEventListener("close", () => {
    dialog.remove();
    link.focus();
  });
  dialog.querySelector("[data-cancel]")?.addEventListener("click", (event) => {
    event.preventDefault();
    dialog.close();
  });
  dialog.showModal();
}

for (const link of links) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    void ask(link);
  });
}

export {};

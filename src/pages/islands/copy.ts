/** Copies texts of the page. If the browser does not let a page copy, the text is selected for the user. */
const result = document.querySelector("[data-copy-results]");

async function copyText(button: HTMLButtonElement): Promise<void> {
  const { copies = "", copied = "", failed = "" } = button.dataset;
  const source = document.getElementById(copies);
  if (!source) return;
  try {
    await navigator.clipboard.writeText(source.textContent ?? "");
    if (button.firstChild) button.firstChild.textContent = copied;
    if (result) result.textContent = copied;
  } catch {
    getSelection()?.selectAllChildren(source);
    if (result) result.textContent = failed;
  }
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copies]")) {
  button.addEventListener("click", () => void copyText(button));
}

export {};

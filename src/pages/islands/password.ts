/** The button that reveals the typed password. */
function reveal(input: HTMLInputElement, button: HTMLButtonElement, revealed: boolean): void {
  input.type = revealed ? "text" : "password";
  button.setAttribute("aria-pressed", String(revealed));
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-reveal]")) {
  const input = document.getElementById(button.getAttribute("aria-controls") ?? "") as HTMLInputElement;
  button.addEventListener("click", () => reveal(input, button, input.type === "password"));
  // The field is masked again before submission: a browser would otherwise store the text as the text of a field.
  input.form?.addEventListener("submit", () => reveal(input, button, false));
}

export {};

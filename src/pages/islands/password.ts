/** The button that reveals the typed password, and the strength of a new password. */

/** Bits of a random password of this length and these kinds of characters; repeated characters count once. */
function bitsOf(password: string): number {
  const kinds: readonly [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^a-zA-Z\d]/, 33],
  ];
  const alphabet = kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 1);
  return new Set(password).size * 0.5 * Math.log2(alphabet) + password.length * 1.2;
}

function addMeter(input: HTMLInputElement, words: readonly string[]): void {
  const meter = document.createElement("meter");
  meter.max = 4;
  meter.hidden = true;
  const label = document.createElement("p");
  label.className = "hint";
  label.setAttribute("aria-live", "polite");
  const hint = document.getElementById(`${input.id}-hint`);
  (hint ?? input.parentElement ?? input).after(meter, label);
  input.addEventListener("input", () => {
    const level =
      input.value.length < input.minLength ? 0 : Math.min(3, Math.max(1, Math.floor(bitsOf(input.value) / 22)));
    meter.hidden = input.value === "";
    meter.value = level + 1;
    label.textContent = input.value === "" ? "" : (words[level] ?? "");
    meter.setAttribute("aria-label", label.textContent);
  });
}

function reveal(input: HTMLInputElement, button: HTMLButtonElement, revealed: boolean): void {
  input.type = revealed ? "text" : "password";
  button.setAttribute("aria-pressed", String(revealed));
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-reveal]")) {
  const input = document.getElementById(button.getAttribute("aria-controls") ?? "") as HTMLInputElement;
  button.addEventListener("click", () => reveal(input, button, input.type === "password"));
  // The field is masked again before submission: a browser would otherwise store the text as the text of a field.
  input.form?.addEventListener("submit", () => reveal(input, button, false));
  if (input.dataset.strength) addMeter(input, input.dataset.strength.split("|"));
}

export {};

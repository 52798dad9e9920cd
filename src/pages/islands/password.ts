/** A button that reveals the typed password, and the strength of a new password. */

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
  (hint ?? input).after(meter, label);
  input.addEventListener("input", () => {
    const level =
      input.value.length < input.minLength ? 0 : Math.min(3, Math.max(1, Math.floor(bitsOf(input.value) / 22)));
    meter.hidden = input.value === "";
    meter.value = level + 1;
    label.textContent = input.value === "" ? "" : (words[level] ?? "");
    meter.setAttribute("aria-label", label.textContent);
  });
}

function addButton(input: HTMLInputElement, show: string, hide: string): void {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = show;
  button.setAttribute("aria-controls", input.id);
  const box = document.createElement("div");
  box.className = "secret";
  const focused = document.activeElement === input;
  input.replaceWith(box);
  box.append(input, button);
  if (focused) input.focus();
  button.addEventListener("click", () => {
    const masked = input.type === "password";
    input.type = masked ? "text" : "password";
    button.textContent = masked ? hide : show;
  });
  // The field is masked again before submission: a browser would otherwise store the text, and would send the value as
  // plain text.
  input.form?.addEventListener("submit", () => {
    input.type = "password";
  });
}

for (const input of document.querySelectorAll<HTMLInputElement>("input[data-show]")) {
  addButton(input, input.dataset.show ?? "", input.dataset.hide ?? "");
  if (input.dataset.strength) addMeter(input, input.dataset.strength.split("|"));
}

export {};

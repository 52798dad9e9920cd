/**
 * Submits a form as soon as the user has typed or pasted the sixth digit of a code, and lets the button for a new code
 * wait.
 */
const DIGITS = 6;

for (const input of document.querySelectorAll<HTMLInputElement>("input[inputmode=numeric][name=code]")) {
  input.addEventListener("input", (event) => {
    const { data, inputType } = event as InputEvent;
    const isEntered = data?.length === 1 || inputType === "insertFromPaste";
    const isComplete = input.value.replace(/[^\p{Nd}]/gu, "").length === DIGITS;
    // A form with a further empty field, such as the password, waits for the field.
    if (!isEntered || !isComplete || !input.form?.checkValidity()) return;
    input.form.requestSubmit(input.form.querySelector<HTMLElement>("button.primary"));
  });
}

/** Emails need some seconds; an impatient second request would void the first code. */
const WAIT_SECONDS = 30;

function countDown(button: HTMLButtonElement, text: string): void {
  const label = button.textContent;
  let seconds = WAIT_SECONDS;
  button.disabled = true;
  const display = () => {
    button.textContent = text.replace("%", () => String(seconds));
  };
  display();
  const timer = setInterval(() => {
    seconds -= 1;
    if (seconds > 0) return display();
    clearInterval(timer);
    button.disabled = false;
    button.textContent = label;
  }, 1000);
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-wait]")) {
  countDown(button, button.dataset.wait ?? "");
}

export {};

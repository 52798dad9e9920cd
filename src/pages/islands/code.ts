/** Submits a form as soon as the user has typed or pasted the sixth digit of a code. */
const DIGITS = 6;

for (const input of document.querySelectorAll<HTMLInputElement>("input[inputmode=numeric][name=code]")) {
  input.addEventListener("input", (event) => {
    const { data, inputType } = event as InputEvent;
    const isEntered = data?.length === 1 || inputType === "insertFromPaste";
    const isComplete = input.value.replace(/\D/g, "").length === DIGITS;
    // A form with a further empty field, such as the password, waits for the field.
    if (!isEntered || !isComplete || !input.form?.checkValidity()) return;
    input.form.requestSubmit(input.form.querySelector<HTMLElement>("button.primary"));
  });
}

export {};

/**
 * The pending state of every form: after a moment the pressed button has a spinner and a verb in the present, and a
 * second submission is ignored.
 */
const VISIBLE_AFTER_MS = 300;
/** A download and a cancelled navigation leave the page in place without an event: afterwards the form works again. */
const PENDING_MAX_MS = 10_000;

const pending = new Map<HTMLFormElement, () => void>();

/** Displays the pending state of a button; returns the function that restores the button. */
function markBusy(button: HTMLElement): () => void {
  const content = [...button.childNodes];
  const verb = button.dataset.busy ?? document.body.dataset.busy ?? "";
  // The width stays, so that no neighbour of the button moves.
  button.style.minInlineSize = `${button.offsetWidth}px`;
  button.ariaBusy = "true";
  button.replaceChildren(verb);
  return () => {
    button.ariaBusy = null;
    button.style.minInlineSize = "";
    button.replaceChildren(...content);
  };
}

function begin(form: HTMLFormElement, submitter: HTMLElement | null): void {
  const button = submitter ?? form.querySelector<HTMLElement>("button:not([type=button])");
  let restore = () => {};
  const visible = setTimeout(() => {
    if (button) restore = markBusy(button);
  }, VISIBLE_AFTER_MS);
  const end = setTimeout(() => finish(form), PENDING_MAX_MS);
  pending.set(form, () => {
    clearTimeout(visible);
    clearTimeout(end);
    restore();
  });
}

function finish(form: HTMLFormElement): void {
  pending.get(form)?.();
  pending.delete(form);
}

document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  if (pending.has(form)) event.preventDefault();
  if (!event.defaultPrevented) begin(form, event.submitter);
});
// The history displays a page in the state in which the user left the page.
addEventListener("pageshow", () => {
  for (const form of pending.keys()) finish(form);
});

export {};

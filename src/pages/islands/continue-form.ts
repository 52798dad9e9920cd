/** Sends the form that waited for the step-up. Without scripts, the button of the form does. */
document.querySelector<HTMLFormElement>("form[data-continued]")?.requestSubmit();

export {};

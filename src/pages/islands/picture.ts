/**
 * Displays the chosen picture in a dialog, crops the picture to a square and uploads the square. A format that the
 * browser cannot decode is uploaded unchanged.
 */
const ARROW_STEP_PX = 16;
const QUALITY = 0.9;

const form = document.querySelector<HTMLFormElement>("form[data-picture]");
const input = form?.querySelector<HTMLInputElement>("input[type=file]");
const dialog = document.querySelector<HTMLDialogElement>("dialog[data-crop]");
const canvas = dialog?.querySelector("canvas");
const zoom = dialog?.querySelector<HTMLInputElement>("input[type=range]");

/** The picture, and its displacement from the centre in pixels of the canvas. */
let picture: ImageBitmap | undefined;
let [left, top] = [0, 0];

/** Draws the picture so that it always covers the square. */
function draw(): void {
  const context = canvas?.getContext("2d");
  if (!canvas || !context || !picture) return;
  const side = canvas.width;
  const scale = (side / Math.min(picture.width, picture.height)) * Number(zoom?.value ?? 1);
  const [width, height] = [picture.width * scale, picture.height * scale];
  const within = (value: number, size: number) => Math.max(-(size - side) / 2, Math.min((size - side) / 2, value));
  left = within(left, width);
  top = within(top, height);
  context.clearRect(0, 0, side, side);
  context.drawImage(picture, (side - width) / 2 + left, (side - height) / 2 + top, width, height);
}

function move(byX: number, byY: number): void {
  left += byX;
  top += byY;
  draw();
}

async function choose(file: File): Promise<void> {
  try {
    picture = await createImageBitmap(file);
  } catch {
    form?.requestSubmit();
    return;
  }
  [left, top] = [0, 0];
  if (zoom) zoom.value = "1";
  draw();
  dialog?.showModal();
}

function upload(): void {
  canvas?.toBlob(
    (square) => {
      if (!square || !input) return;
      const files = new DataTransfer();
      files.items.add(new File([square], "picture", { type: square.type }));
      input.files = files.files;
      dialog?.close("used");
      form?.requestSubmit();
    },
    "image/webp",
    QUALITY,
  );
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-ARROW_STEP_PX, 0],
  ArrowRight: [ARROW_STEP_PX, 0],
  ArrowUp: [0, -ARROW_STEP_PX],
  ArrowDown: [0, ARROW_STEP_PX],
};

input?.addEventListener("change", () => {
  const [file] = input.files ?? [];
  if (file) void choose(file);
});
zoom?.addEventListener("input", draw);
canvas?.addEventListener("keydown", (event) => {
  const arrow = ARROWS[event.key];
  if (!arrow) return;
  event.preventDefault();
  move(...arrow);
});
canvas?.addEventListener("pointerdown", ({ pointerId }) => canvas.setPointerCapture(pointerId));
canvas?.addEventListener("pointermove", ({ buttons, movementX, movementY }) => {
  const pixels = canvas.width / canvas.clientWidth;
  if (buttons > 0) move(movementX * pixels, movementY * pixels);
});
dialog?.querySelector("[data-crop-use]")?.addEventListener("click", upload);
dialog?.querySelector("[data-cancel]")?.addEventListener("click", () => dialog.close());
dialog?.addEventListener("close", () => {
  // After a cancellation the user can choose an equal file again.
  if (input && dialog.returnValue !== "used") input.value = "";
  input?.focus();
});

export {};

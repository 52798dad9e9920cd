/** The strength of a new password. */
import { commonStemIn } from "./common-stems.ts";

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

const SEGMENTS = 4;
const WEAK = 1;
const COLOURS = ["bad", "bad", "warn", "good"];

/** 0: too short; 1: weak; 2: good; 3: strong. A common stem caps the strength at weak, whatever surrounds the stem. */
function levelOf({ value, minLength }: HTMLInputElement, stem: string | undefined): number {
  if (value.length < minLength) return 0;
  const level = Math.min(3, Math.max(WEAK, Math.floor(bitsOf(value) / 22)));
  return stem ? Math.min(WEAK, level) : level;
}

/** `basedOn`: the message of a common stem, with `%` in place of the stem. */
function addMeter(input: HTMLInputElement, words: readonly string[], basedOn: string): void {
  const meter = document.createElement("div");
  meter.className = "meter";
  meter.hidden = true;
  meter.setAttribute("aria-hidden", "true");
  const segments = Array.from({ length: SEGMENTS }, () => meter.appendChild(document.createElement("i")));
  const label = document.createElement("p");
  label.className = "hint";
  label.setAttribute("aria-live", "polite");
  const hint = document.getElementById(`${input.id}-hint`);
  (hint ?? input.parentElement ?? input).after(meter, label);
  input.addEventListener("input", () => {
    const stem = commonStemIn(input.value);
    const level = levelOf(input, stem);
    meter.hidden = input.value === "";
    for (const [index, segment] of segments.entries()) segment.className = index <= level ? (COLOURS[level] ?? "") : "";
    label.textContent = meter.hidden ? "" : stem ? basedOn.replace("%", () => stem) : (words[level] ?? "");
  });
}

for (const input of document.querySelectorAll<HTMLInputElement>("[data-strength]")) {
  addMeter(input, (input.dataset.strength ?? "").split("|"), input.dataset.basedOn ?? "");
}

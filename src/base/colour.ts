/**
 * Colours in OKLCH, and the contrast of WCAG 2.2. Own code: the libraries for colours take 100 ms of each start, for
 * two conversions that the CSS Color Module defines.
 */

/** Lightness 0 to 1, chroma, and hue in radians (CSS Color Module Level 4, section 9.4). */
export interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

type Triple = readonly [number, number, number];

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

export function isHexColour(text: string): boolean {
  return HEX.test(text);
}

/** Red, green and blue as linear light, 0 to 1. `hex`: `#rgb` or `#rrggbb`. */
function linearRgb(hex: string): Triple {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1);
  const channel = (at: number) => {
    const value = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(0), channel(2), channel(4)];
}

function hexOf(linear: Triple): string {
  const digits = linear.map((value) => {
    const gamma = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
    const byte = Math.round(Math.min(1, Math.max(0, gamma)) * 255);
    return byte.toString(16).padStart(2, "0");
  });
  return `#${digits.join("")}`;
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red, green, blue] = linearRgb(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function times(matrix: readonly [Triple, Triple, Triple], [x, y, z]: Triple): Triple {
  const [a, b, c] = matrix.map(([p, q, r]) => p * x + q * y + r * z) as [number, number, number];
  return [a, b, c];
}

/** Linear sRGB to the responses of the cones, and the cube roots to OKLab, with the inverse matrices. */
const LMS_OF_RGB = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
] as const;
const LAB_OF_LMS = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
] as const;
const LMS_OF_LAB = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
] as const;
const RGB_OF_LMS = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
] as const;

export function oklchOf(hex: string): Oklch {
  const [l, m, s] = times(LMS_OF_RGB, linearRgb(hex));
  const [lightness, a, b] = times(LAB_OF_LMS, [Math.cbrt(l), Math.cbrt(m), Math.cbrt(s)]);
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) };
}

const CHROMA_STEPS = 20;

/** The hex value of a colour; a chroma outside of sRGB is reduced to the largest chroma within. */
export function hexOfOklch({ lightness, chroma, hue }: Oklch): string {
  const linear = (share: number): Triple => {
    const [l, m, s] = times(LMS_OF_LAB, [lightness, chroma * share * Math.cos(hue), chroma * share * Math.sin(hue)]);
    return times(RGB_OF_LMS, [l ** 3, m ** 3, s ** 3]);
  };
  for (let step = CHROMA_STEPS; step > 0; step -= 1) {
    const candidate = linear(step / CHROMA_STEPS);
    if (candidate.every((value) => value > -0.0005 && value < 1.0005)) return hexOf(candidate);
  }
  return hexOf(linear(0));
}

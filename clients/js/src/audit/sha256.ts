/** SHA-256 (FIPS 180-4) of public data, synchronous: a tree of millions of leaves waits for no thread. */

/** Returns the 32 bytes of SHA-256. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

const BLOCK_BYTES = 64;
const ROUNDS = roundConstants();

/** Section 6.2. `crypto.subtle` is asynchronous and takes several times as long for inputs as small as these. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const state = new Uint32Array([
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  ]);
  const schedule = new Uint32Array(BLOCK_BYTES);
  const padded = pad(bytes);
  const words = new DataView(padded.buffer);
  for (let offset = 0; offset < padded.length; offset += BLOCK_BYTES) compress(state, schedule, words, offset);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => {
    digest.setUint32(4 * index, word);
  });
  return new Uint8Array(digest.buffer);
}

/** FIPS 180-4, section 5.1.1: a set bit, zeros, and the length in bits. */
function pad(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  return padded;
}

function compress(state: Uint32Array, w: Uint32Array, words: DataView, offset: number): void {
  for (let t = 0; t < 16; t += 1) w[t] = words.getUint32(offset + 4 * t);
  for (let t = 16; t < 64; t += 1) {
    const [w15, w2] = [at(w, t - 15), at(w, t - 2)];
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
    w[t] = at(w, t - 16) + s0 + at(w, t - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t += 1) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + big1 + ((e & f) ^ (~e & g)) + at(ROUNDS, t) + at(w, t)) | 0;
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = at(state, index) + word;
  });
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

/** Section 4.2.2: the first 32 bits of the fractions of the cube roots of the first 64 primes. */
function roundConstants(): Uint32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return Uint32Array.from(primes, (prime) => Number(fractionOfCubeRoot(BigInt(prime))));
}

/** The cube root of n * 2^96 is 2^32 times the cube root of n, to the integer; the low 32 bits are the fraction. */
function fractionOfCubeRoot(n: bigint): bigint {
  const target = n << 96n;
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle * middle * middle <= target) low = middle;
    else high = middle;
  }
  return low & 0xffffffffn;
}

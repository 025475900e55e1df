// Keccak-256 as Ethereum uses it (the original padding, not SHA-3's), for the capitals of an EVM address.
// One block only: the input is a 40-character address.

const RATE_BYTES = 136;
const LANES = 25;

const ROTATIONS = [
  0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14,
] as const;

// The 24 round constants, from the degree-8 LFSR that the standard defines.
const ROUND_CONSTANTS: readonly (readonly [number, number])[] = (() => {
  let register = 1;
  return Array.from({ length: 24 }, () => {
    let high = 0;
    let low = 0;
    for (let j = 0; j < 7; j++) {
      const bit = (1 << j) - 1;
      if (register & 1) {
        if (bit < 32) low |= 1 << bit;
        else high |= 1 << (bit - 32);
      }
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    }
    return [high, low] as const;
  });
})();

/** The digest of at most 135 bytes. */
export function keccak256(input: Uint8Array): Uint8Array {
  if (input.length >= RATE_BYTES) throw new RangeError("keccak256 here takes one block");
  const block = new Uint8Array(RATE_BYTES);
  block.set(input);
  block[input.length] = 0x01;
  block[RATE_BYTES - 1] = (block[RATE_BYTES - 1] as number) | 0x80;
  // Lane i is words 2i (low) and 2i + 1 (high).
  const state = new Uint32Array(LANES * 2);
  const view = new DataView(block.buffer);
  for (let word = 0; word < RATE_BYTES / 4; word++) state[word] = view.getUint32(word * 4, true);
  for (const [high, low] of ROUND_CONSTANTS) round(state, high, low);
  const digest = new DataView(new ArrayBuffer(32));
  for (let word = 0; word < 8; word++) digest.setUint32(word * 4, state[word] as number, true);
  return new Uint8Array(digest.buffer);
}

const column = new Uint32Array(10);
const moved = new Uint32Array(LANES * 2);

function round(state: Uint32Array, constantHigh: number, constantLow: number): void {
  const at = (words: Uint32Array, index: number): number => words[index] as number;
  for (let word = 0; word < 10; word++) {
    let parity = 0;
    for (let y = 0; y < 5; y++) parity ^= at(state, word + y * 10);
    column[word] = parity;
  }
  for (let x = 0; x < 5; x++) {
    const left = ((x + 4) % 5) * 2;
    const right = ((x + 1) % 5) * 2;
    const low = at(column, left) ^ ((at(column, right) << 1) | (at(column, right + 1) >>> 31));
    const high = at(column, left + 1) ^ ((at(column, right + 1) << 1) | (at(column, right) >>> 31));
    for (let y = 0; y < 5; y++) {
      const lane = (x + y * 5) * 2;
      state[lane] = at(state, lane) ^ low;
      state[lane + 1] = at(state, lane + 1) ^ high;
    }
  }
  for (let x = 0; x < 5; x++) {
    for (let y = 0; y < 5; y++) {
      const from = x + y * 5;
      const to = (y + ((2 * x + 3 * y) % 5) * 5) * 2;
      const bits = ROTATIONS[from] as number;
      const [low, high] = [at(state, from * 2), at(state, from * 2 + 1)];
      const [a, b] = bits < 32 ? [low, high] : [high, low];
      const shift = bits % 32;
      moved[to] = shift === 0 ? a : (a << shift) | (b >>> (32 - shift));
      moved[to + 1] = shift === 0 ? b : (b << shift) | (a >>> (32 - shift));
    }
  }
  for (let y = 0; y < 5; y++) {
    for (let x = 0; x < 5; x++) {
      for (let half = 0; half < 2; half++) {
        const next = at(moved, (((x + 1) % 5) + y * 5) * 2 + half);
        const after = at(moved, (((x + 2) % 5) + y * 5) * 2 + half);
        state[(x + y * 5) * 2 + half] = at(moved, (x + y * 5) * 2 + half) ^ (~next & after);
      }
    }
  }
  state[0] = at(state, 0) ^ constantLow;
  state[1] = at(state, 1) ^ constantHigh;
}

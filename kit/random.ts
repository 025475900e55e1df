// Randomness, injected. A generator is four 32-bit words (xoshiro128**), so its whole state can be saved and a
// seeded run replays exactly; `hash32` gives a fixed roll for a fixed input when no sequence is needed.

export interface Random {
  /** A float in [0, 1). */
  next(): number;
  /** An integer in [0, bound). */
  below(bound: number): number;
  /** A standard normal deviate. */
  normal(): number;
  pick<T>(items: readonly T[]): T;
  chance(probability: number): boolean;
  state(): [number, number, number, number];
}

/** Mixes a text or number seed with further parts into 32 well-spread bits. */
export function hash32(...parts: (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const part of parts) {
    const text = String(part);
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    hash = Math.imul(hash ^ 0x5f, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export function seededRandom(...seed: (string | number)[]): Random {
  return randomFrom([
    hash32(...seed, "a"),
    hash32(...seed, "b"),
    hash32(...seed, "c"),
    hash32(...seed, "d") | 1,
  ]);
}

export function randomFrom(saved: readonly [number, number, number, number]): Random {
  let [a, b, c, d] = saved;
  const word = () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const carried = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= carried;
    d = rotate(d, 11);
    return result;
  };
  const random: Random = {
    next: () => word() / 0x1_0000_0000,
    below: (bound) => Math.floor((word() / 0x1_0000_0000) * bound),
    normal: () => {
      const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
      return radius * Math.cos(2 * Math.PI * random.next());
    },
    pick: <T>(items: readonly T[]): T => {
      if (items.length === 0) throw new RangeError("pick needs at least one item");
      return items[random.below(items.length)] as T;
    },
    chance: (probability) => random.next() < probability,
    state: () => [a >>> 0, b >>> 0, c >>> 0, d >>> 0],
  };
  return random;
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Unpredictable bytes, for secrets and ids that must not be guessed. */
export function secureBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

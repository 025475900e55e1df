// Fixed rolls for fixed inputs. Whatever can be derived from a number (a name, a price, a hash, whether an item is late) is
// derived when needed, so that the world stores only what cannot be.

const TWO_32 = 0x1_0000_0000;

/** 32 well-spread bits of a key and up to two numbers, each an integer below 2^53. */
export function mix(key: number, a: number, b = 0): number {
  let hash = Math.imul(key ^ fold(a), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash = Math.imul((hash ^ (hash >>> 13)) + fold(b), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x27d4eb2f);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function fold(value: number): number {
  return value < TWO_32 && value >= 0
    ? value | 0
    : (value >>> 0) ^ Math.imul(Math.floor(value / TWO_32), 0x165667b1);
}

/** The same as a float in [0, 1). */
export function unit(key: number, a: number, b = 0): number {
  return mix(key, a, b) / TWO_32;
}

export function chosen<T>(items: readonly T[], key: number, a: number, b = 0): T {
  return items[Math.floor(unit(key, a, b) * items.length)] as T;
}

export function derivedBytes(length: number, key: number, a: number, b = 0): Uint8Array {
  const bytes = new Uint8Array(length);
  const start = mix(key, a, b);
  for (let offset = 0; offset < length; offset += 4) {
    const word = mix(start, a, offset + 1);
    bytes[offset] = word >>> 24;
    bytes[offset + 1] = word >>> 16;
    bytes[offset + 2] = word >>> 8;
    bytes[offset + 3] = word;
  }
  return bytes;
}

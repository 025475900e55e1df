// Base58 as Solana writes keys, signatures and instruction data. Decoding answers null for what is not base58.

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const NO_DIGIT = 255;
/** A character's value by its code. */
const DIGITS = new Uint8Array(128).fill(NO_DIGIT);
for (let digit = 0; digit < ALPHABET.length; digit++) DIGITS[ALPHABET.charCodeAt(digit)] = digit;
/** Longer than the data of any instruction that fits a transaction (1,232 bytes); bounds the work for hostile text. */
const CHARACTERS_MAX = 1_700;
const ADDRESS_BYTES = 32;

export function encodeBase58(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  let text = "";
  for (; value > 0n; value /= 58n) text = ALPHABET.charAt(Number(value % 58n)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** In place over bytes: a transaction has dozens of instructions to decode, and big integers would take most of the time. */
export function decodeBase58(text: string): Uint8Array | null {
  if (text.length > CHARACTERS_MAX) return null;
  // Least significant byte first; 58 is less than 2 to the 6th, so three quarters of the characters are enough.
  const reversed = new Uint8Array(Math.ceil(text.length * 0.75) + 1);
  let length = 0;
  let zeros = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const digit = code < DIGITS.length ? (DIGITS[code] as number) : NO_DIGIT;
    if (digit === NO_DIGIT) return null;
    if (digit === 0 && zeros === at) zeros++;
    let carry = digit;
    for (let place = 0; place < length; place++) {
      carry += (reversed[place] as number) * 58;
      reversed[place] = carry & 0xff;
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) reversed[length++] = carry & 0xff;
  }
  const bytes = new Uint8Array(zeros + length);
  for (let place = 0; place < length; place++) bytes[zeros + length - 1 - place] = reversed[place] as number;
  return bytes;
}

export function isAddress(text: string): boolean {
  return text.length >= ADDRESS_BYTES && text.length <= 44 && decodeBase58(text)?.length === ADDRESS_BYTES;
}

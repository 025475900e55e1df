// Random base62 text from secure bytes, every character equally likely: for keys, tickets and ids that must not be guessed.
import { secureBytes } from "./random.ts";

export const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Bytes from here on would bias towards the first letters of the alphabet, so they are redrawn. */
const UNBIASED_BYTES = 256 - (256 % BASE62.length);

export function secureBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of secureBytes(length)) {
      if (byte < UNBIASED_BYTES && text.length < length) text += BASE62.charAt(byte % BASE62.length);
    }
  }
  return text;
}

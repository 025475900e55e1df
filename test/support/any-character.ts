// Any Unicode character, like fast-check's own unit "binary", without the table that it builds first: that takes longer than
// most tests.
import fc from "fast-check";

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const LAST = 0x10_ffff;

const toCharacter = (place: number) =>
  String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES);

/** Strings known to break programs are included only if it can locate their characters. */
function toPlace(text: unknown): number {
  const code = typeof text === "string" ? (text.codePointAt(0) ?? LAST + 1) : LAST + 1;
  const place = code < FIRST_SURROGATE ? code : code - SURROGATES;
  if (place > LAST - SURROGATES || place < 0 || toCharacter(place) !== text)
    throw new Error("This is not one character.");
  return place;
}

export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: LAST - SURROGATES })
  .map(toCharacter, toPlace);

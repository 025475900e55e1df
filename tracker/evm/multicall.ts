// Many calls in one, through the contract that most chains have at the same address. A failed call has no result; it does not
// affect the others.
import { selectorOf } from "./signatures.ts";

export interface ContractCall {
  to: string;
  data: string;
}

export const MULTICALL = "0xca11bde05977b3631167028862be2a173976ca11";
const AGGREGATE = selectorOf("aggregate3((address,bool,bytes)[])");
const WORD_BYTES = 32;

const word = (value: number): string => value.toString(16).padStart(2 * WORD_BYTES, "0");
const padded = (hex: string): string => hex.padEnd(Math.ceil(hex.length / 64) * 64, "0");

export function encodeAggregate(calls: readonly ContractCall[]): string {
  const tuples = calls.map(({ to, data }) => {
    const payload = data.slice(2);
    const address = to.slice(2).toLowerCase().padStart(64, "0");
    // Each may fail on its own; its data comes after the three fields.
    return address + word(1) + word(3 * WORD_BYTES) + word(payload.length / 2) + padded(payload);
  });
  let offset = calls.length * WORD_BYTES;
  const offsets = tuples.map((tuple) => {
    const at = offset;
    offset += tuple.length / 2;
    return word(at);
  });
  return AGGREGATE + word(WORD_BYTES) + word(calls.length) + offsets.join("") + tuples.join("");
}

/** Null when the answer does not match this many calls. */
export function decodeAggregate(answer: string, count: number): (string | null)[] | null {
  const bytes = Buffer.from(answer.slice(2), "hex");
  const numberAt = (at: number): number => {
    if (at < 0 || at + WORD_BYTES > bytes.length) throw new RangeError("beyond the answer");
    const value = BigInt(`0x${bytes.subarray(at, at + WORD_BYTES).toString("hex")}`);
    // No valid offset or length exceeds the answer itself.
    if (value > BigInt(bytes.length)) throw new RangeError("beyond the answer");
    return Number(value);
  };
  try {
    const list = numberAt(0);
    if (numberAt(list) !== count) return null;
    const base = list + WORD_BYTES;
    return Array.from({ length: count }, (_, index) => {
      const tuple = base + numberAt(base + index * WORD_BYTES);
      const succeeded = numberAt(tuple) === 1;
      const data = tuple + numberAt(tuple + WORD_BYTES);
      const length = numberAt(data);
      const end = data + WORD_BYTES + length;
      if (end > bytes.length) throw new RangeError("beyond the answer");
      return succeeded ? `0x${bytes.subarray(data + WORD_BYTES, end).toString("hex")}` : null;
    });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

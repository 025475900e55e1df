// Names of events and functions on chain: hashes of their signatures.
import { keccak_256 } from "@noble/hashes/sha3.js";

/** The first topic of an event. */
export const eventTopic = (signature: string): `0x${string}` =>
  `0x${Buffer.from(keccak_256(Buffer.from(signature))).toString("hex")}`;

/** The first four bytes of a call's data. */
export const selectorOf = (signature: string): string => eventTopic(signature).slice(0, 10);

// How a chain names events and functions: by the hash of their signatures.
import { keccak_256 } from "@noble/hashes/sha3.js";

/** The first topic of an event. */
export const eventTopic = (signature: string): `0x${string}` =>
  `0x${Buffer.from(keccak_256(Buffer.from(signature))).toString("hex")}`;

/** What the data of a call begins with. */
export const selectorOf = (signature: string): string => eventTopic(signature).slice(0, 10);

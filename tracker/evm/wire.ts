// Transactions and receipts as a node returns them, and the few hex parsers they need. A value of another shape is refused with
// the field's name, because a node's answer is not trusted.

export interface RawLog {
  address: string;
  topics: string[];
  data: string;
  logIndex?: string;
  transactionHash?: string;
  blockHash?: string;
  blockNumber?: string;
  /** Included by many nodes, not by all. */
  blockTimestamp?: string;
  removed?: boolean;
}

export interface RawTransaction {
  hash: string;
  from: string;
  to: string | null;
  value: string;
  blockNumber?: string | null;
  blockHash?: string | null;
  transactionIndex?: string | null;
  gasPrice?: string;
}

export interface RawReceipt {
  transactionHash: string;
  status?: string;
  gasUsed: string;
  effectiveGasPrice?: string;
  /** A roll-up's fee for its data on the layer below. */
  l1Fee?: string | null;
  blobGasUsed?: string;
  blobGasPrice?: string;
  blockHash?: string;
  blockNumber?: string;
  transactionIndex?: string;
  logs: RawLog[];
}

export const ZERO_ADDRESS = `0x${"0".repeat(40)}`;

const HEX = /^0x[0-9a-fA-F]*$/;
const WORD_HEX_LENGTH = 64;

export class BadWire extends Error {}

export function quantity(value: unknown, field: string): bigint {
  if (typeof value === "string" && HEX.test(value)) return value === "0x" ? 0n : BigInt(value);
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw new BadWire(`${field} is not a hex quantity`);
}

export const optionalQuantity = (value: unknown, field: string): bigint =>
  value === undefined || value === null ? 0n : quantity(value, field);

/** The nth 32-byte word of a log's data; undefined when the data is shorter. */
export function wordAt(data: string, index: number): bigint | undefined {
  const start = 2 + index * WORD_HEX_LENGTH;
  const end = start + WORD_HEX_LENGTH;
  return data.length >= end ? BigInt(`0x${data.slice(start, end)}`) : undefined;
}

/** The same word as a signed integer. */
export function signedWordAt(data: string, index: number): bigint | undefined {
  const word = wordAt(data, index);
  return word === undefined ? undefined : BigInt.asIntN(256, word);
}

/** The address in a 32-byte topic or word. */
export const addressIn = (topic: string): string => `0x${topic.slice(-40).toLowerCase()}`;

/** An address in topic form. */
export const topicOf = (address: string): string => `0x${"0".repeat(24)}${address.slice(2).toLowerCase()}`;

// One transfer of a fungible token.

/** An amount moved from one address to another; the zero address mints and burns. */
export interface TokenMove {
  token: string;
  from: string;
  to: string;
  amountRaw: bigint;
}

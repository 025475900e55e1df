// What one transfer of a fungible token says.

/** An amount that went from one address to another; the zero address mints and burns. */
export interface TokenMove {
  token: string;
  from: string;
  to: string;
  amountRaw: bigint;
}

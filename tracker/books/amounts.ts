// From raw integers to amounts that people read. A float is only ever shown or priced; what is kept is the integer.

/** Exact for what a double can hold, and as near as it gets beyond. */
export function amountOf(raw: bigint, decimals: number): number {
  const sign = raw < 0n ? -1 : 1;
  const size = raw < 0n ? -raw : raw;
  const unit = 10n ** BigInt(decimals);
  return sign * (Number(size / unit) + Number(size % unit) / Number(unit));
}

// Converts raw integers to human-readable amounts. Floats are only for display and pricing; what is stored is the integer.

/** Exact within a double's precision, and as close as possible beyond. */
export function amountOf(raw: bigint, decimals: number): number {
  const sign = raw < 0n ? -1 : 1;
  const size = raw < 0n ? -raw : raw;
  const unit = 10n ** BigInt(decimals);
  return sign * (Number(size / unit) + Number(size % unit) / Number(unit));
}

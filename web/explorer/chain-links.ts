// Links to view a chain's transactions: the well-known explorers, by chain. For a chain without one, such as one that the
// operator named, there is no link and the transaction can be copied.

const EXPLORERS: Readonly<Record<number, { name: string; transaction: string }>> = {
  1399811149: { name: "Solscan", transaction: "https://solscan.io/tx/" },
  8453: { name: "Basescan", transaction: "https://basescan.org/tx/" },
  56: { name: "BscScan", transaction: "https://bscscan.com/tx/" },
  1: { name: "Etherscan", transaction: "https://etherscan.io/tx/" },
};

export interface ChainLink {
  /** The explorer's name. */
  name: string;
  href: string;
}

export function transactionLink(chainId: number, txHash: string): ChainLink | null {
  const explorer = EXPLORERS[chainId];
  return explorer ? { name: explorer.name, href: explorer.transaction + encodeURIComponent(txHash) } : null;
}

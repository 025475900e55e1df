// The reader's place: stored as one text together with its data, so that after a crash both agree. Anchors only name final
// transactions; anything else is pending, block by block, until it is final or its fork lost.

/** All of a wallet's history up to this transaction was read and is final. Without a signature: up to this slot. */
export interface Anchor {
  slot: number;
  signature: string | null;
  /** A digest of the wallet's token accounts when all of them were last compared (holdings.ts). */
  held?: string;
}

export interface PendingBlock {
  slot: number;
  hash: string;
  /** The wallets whose part in a transaction was stored, by signature. */
  read: Record<string, string[]>;
}

export interface SolanaState {
  /** Everything stored up to this slot is final. */
  final: number;
  anchors: Record<string, Anchor>;
  /** In slot order. */
  pending: PendingBlock[];
  /** When reading all blocks: the scanned ones above `final`, ascending. Null while wallets are listed one by one. */
  scanned: number[] | null;
}

const VERSION = 1;

export const emptyState = (): SolanaState => ({ final: 0, anchors: {}, pending: [], scanned: null });

export function writeState(state: SolanaState): string {
  return JSON.stringify({ version: VERSION, ...state });
}

export function readState(text: string): SolanaState {
  const { version, ...state } = JSON.parse(text) as SolanaState & { version: number };
  if (version !== VERSION) throw new Error(`the Solana cursor has version ${version}, not ${VERSION}`);
  return state;
}

/** Whether a wallet's part in a transaction of this slot is stored and not final yet. */
export function isPending(state: SolanaState, wallet: string, signature: string, slot: number): boolean {
  const block = state.pending.find((each) => each.slot === slot && signature in each.read);
  return block?.read[signature]?.includes(wallet) ?? false;
}

/** Pending blocks that share a transaction with one of these: a transaction is in one block only. */
export function rivalsOf(state: SolanaState, blocks: PendingBlock[]): PendingBlock[] {
  return state.pending.filter((pending) =>
    blocks.some(
      ({ hash, read }) => hash !== pending.hash && Object.keys(read).some((each) => each in pending.read),
    ),
  );
}

export function withPending(state: SolanaState, added: PendingBlock[]): SolanaState {
  const pending = new Map(state.pending.map((block) => [block.hash, block]));
  for (const block of added) {
    const known = pending.get(block.hash);
    const read = { ...known?.read };
    for (const [signature, wallets] of Object.entries(block.read))
      read[signature] = [...new Set([...(read[signature] ?? []), ...wallets])];
    pending.set(block.hash, { ...block, read });
  }
  return { ...state, pending: [...pending.values()].sort((a, b) => a.slot - b.slot) };
}

export function walletsOf(blocks: PendingBlock[]): string[] {
  return [...new Set(blocks.flatMap(({ read }) => Object.values(read).flat()))];
}

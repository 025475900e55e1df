// For tests: handwritten transactions in the shape of `getTransaction`. Accounts are names; the first one listed pays the fee,
// and the test sets the balances.

export const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
export const SYSTEM = "11111111111111111111111111111111";
export const WRAPPED = "So11111111111111111111111111111111111111112";
/** Rent of a token account, in lamports. */
export const RENT = 2_039_280;
export const FEE = 5_000;

export interface Scene {
  signers?: number;
  fails?: boolean;
  /** Lamports before and after, by account, in key order. */
  lamports: Record<string, [before: number, after: number]>;
  /** [account, owner, mint, before, after, decimals]; null where the account does not exist. */
  tokens?: [string, string, string, string | null, string | null, number?][] | undefined;
  /** Parsed instructions of the System and Token programs: [program, type, info]. */
  did?: [string, string, Record<string, unknown>][] | undefined;
}

export function transactionOf(scene: Scene): unknown {
  const keys = Object.keys(scene.lamports);
  const balances = (place: 3 | 4) =>
    (scene.tokens ?? []).flatMap(([account, owner, mint, before, after, decimals = 6]) => {
      const amount = place === 3 ? before : after;
      if (amount === null) return [];
      const accountIndex = keys.indexOf(account);
      return [{ accountIndex, owner, mint, uiTokenAmount: { amount, decimals } }];
    });
  return {
    slot: 7,
    blockTime: 1_700_000_000,
    version: 0,
    meta: {
      err: scene.fails ? { InstructionError: [0, { Custom: 1 }] } : null,
      fee: FEE,
      preBalances: Object.values(scene.lamports).map(([before]) => before),
      postBalances: Object.values(scene.lamports).map(([, after]) => after),
      preTokenBalances: balances(3),
      postTokenBalances: balances(4),
      innerInstructions: [],
    },
    transaction: {
      signatures: ["signature"],
      message: {
        accountKeys: keys.map((pubkey, at) => ({ pubkey, signer: at < (scene.signers ?? 1) })),
        instructions: (scene.did ?? []).map(([programId, type, info]) => ({
          programId,
          parsed: { type, info },
        })),
      },
    },
  };
}

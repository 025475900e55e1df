// The tracker's view of one Solana transaction, as printed by `crowdtape tracker explain`. Takes the result of
// `getTransaction`, alone or in a file `{wallet, transaction}`.
import type { Explanation, Flow } from "../chain.ts";
import { netWallet } from "./netting.ts";
import { readTransaction, UnreadableTransaction } from "./transaction.ts";

/** One explanation for the requested wallet, else the file's own, else for each signer. */
export function explainSolana(file: unknown, wallet?: string): Explanation[] {
  if (typeof file !== "object" || file === null)
    throw new UnreadableTransaction("the file is not a JSON object");
  const { wallet: named, transaction } = file as { wallet?: unknown; transaction?: unknown };
  const wrapped = typeof transaction === "object" && transaction !== null && "meta" in transaction;
  const read = readTransaction(wrapped ? transaction : file);
  const asked = wallet ?? (typeof named === "string" ? named : undefined);
  const wallets = asked === undefined ? read.keys.slice(0, read.signers) : [asked];
  return wallets.map((each) => explanationOf(netWallet(read, each)));
}

function explanationOf({ chainId, wallet, hash, swap, kind, sold, bought }: Flow): Explanation {
  const text = (legs: Flow["sold"]) =>
    legs.map(({ token, amountRaw }) => ({ token, amountRaw: amountRaw.toString() }));
  return { chainId, wallet, hash, swap, kind, sold: text(sold), bought: text(bought) };
}

// What the tracker sees in a transaction, for people who want to check it: a file of either chain family, or a hash looked up
// on a node. It uses the live reader's netting, so the explanation matches the books.
import type { Explanation } from "./chain.ts";
import { findEvmChain } from "./evm/chains.ts";
import { explainEvm, explainFromNode } from "./evm/explain.ts";
import { BadWire } from "./evm/wire.ts";
import type { RpcClient } from "./rpc/client.ts";
import { RpcRefused, RpcUnavailable } from "./rpc/errors.ts";
import { explainSolana } from "./solana/explain.ts";
import { UnreadableTransaction } from "./solana/transaction.ts";

/** The transaction can't be explained; the message is a sentence for the caller. */
export class CannotExplain extends Error {}

/** Explains the text of one file; `name` is used in error messages, the chain for files that name none. */
export function explainText(text: string, name: string, wallet?: string, chainName?: string): Explanation[] {
  const file = parse(text, name);
  const chain = chainName === undefined ? undefined : findEvmChain(chainName);
  try {
    return isSolana(file) ? explainSolana(file, wallet) : explainEvm(file, wallet, chain);
  } catch (error) {
    if (error instanceof BadWire || error instanceof UnreadableTransaction)
      throw new CannotExplain(`${name} is not a transaction this can read: ${error.message}.`);
    throw error;
  }
}

/** Explains a transaction by its hash (or Solana signature), looked up on a node. */
export async function explainHash(
  hash: string,
  chainName: string,
  rpc: RpcClient,
  wallet?: string,
): Promise<Explanation[]> {
  try {
    if (SOLANA_NAMES.includes(chainName.toLowerCase())) {
      const options = { encoding: "json", commitment: "confirmed", maxSupportedTransactionVersion: 0 };
      const transaction = await rpc.call("getTransaction", [hash, options]);
      if (transaction === null) throw unknownTo(hash);
      return explainSolana({ transaction }, wallet);
    }
    const chain = findEvmChain(chainName);
    if (!chain) throw new CannotExplain(`There is no chain called "${chainName}".`);
    const lines = await explainFromNode(rpc, chain, hash, wallet);
    if (lines === null) throw unknownTo(hash);
    return lines;
  } catch (error) {
    if (error instanceof BadWire || error instanceof UnreadableTransaction)
      throw new CannotExplain(`The node does not know all of transaction ${hash}: ${error.message}.`);
    if (error instanceof RpcRefused || error instanceof RpcUnavailable)
      throw new CannotExplain(`The node could not be asked: ${error.message}.`);
    throw error;
  }
}

const unknownTo = (hash: string) =>
  new CannotExplain(`The node knows no transaction ${hash}, has forgotten it, or has it in no block yet.`);

const SOLANA_NAMES: readonly string[] = ["solana", "sol"];

function parse(text: string, name: string): Record<string, unknown> {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw new CannotExplain(`${name} is not JSON.`);
  }
  if (typeof file !== "object" || file === null || Array.isArray(file))
    throw new CannotExplain(`${name} is not a JSON object with a transaction.`);
  return file as Record<string, unknown>;
}

/** EVM files have a receipt; Solana's answer has `meta`, at the top or inside `transaction`. */
function isSolana(file: Record<string, unknown>): boolean {
  if ("receipt" in file) return false;
  const { transaction } = file;
  return "meta" in file || (typeof transaction === "object" && transaction !== null && "meta" in transaction);
}

// Whether a known factory created a pool. The pool names its factory, which any contract could fake, so the factory itself is
// asked for the pool of the same tokens.
import type { RpcClient } from "../rpc/client.ts";
import { answerOf } from "./contract-answer.ts";
import { selectorOf } from "./signatures.ts";
import { addressIn, topicOf } from "./wire.ts";

const SELECTORS = {
  factory: selectorOf("factory()"),
  token0: selectorOf("token0()"),
  token1: selectorOf("token1()"),
  fee: selectorOf("fee()"),
  tickSpacing: selectorOf("tickSpacing()"),
  getPair: selectorOf("getPair(address,address)"),
  getPoolByFee: selectorOf("getPool(address,address,uint24)"),
  getPoolByKind: selectorOf("getPool(address,address,bool)"),
  getPoolBySpacing: selectorOf("getPool(address,address,int24)"),
} as const;

/** Null when a node would not answer. A pool of a singleton is named `address:poolId`: the singleton counts as its factory. */
export async function isMadeByFactory(
  rpc: RpcClient,
  pool: string,
  factories: ReadonlySet<string>,
): Promise<boolean | null> {
  const [address = pool, id] = pool.split(":");
  if (id !== undefined) return factories.has(address);
  let isUnread = false;
  const ask = async (calls: { to: string; data: string }[]): Promise<(string | null)[]> => {
    const replies = await rpc.batch(calls.map((call) => ({ method: "eth_call", params: [call, "latest"] })));
    const answers = replies.map(answerOf);
    isUnread ||= answers.includes(undefined);
    return answers.map((answer) => (answer && answer.length >= 66 ? answer : null));
  };
  const { factory, token0, token1, fee, tickSpacing } = SELECTORS;
  const [maker, first, second, ...shape] = await ask(
    [factory, token0, token1, fee, tickSpacing].map((data) => ({ to: address, data })),
  );
  const to = maker ? addressIn(maker) : "";
  if (!factories.has(to) || !first || !second) return isUnread ? null : false;
  const pair = [first, second].map((word) => topicOf(addressIn(word)).slice(2)).join("");
  const [feeWord, spacingWord] = shape.map((word) => word?.slice(2, 66) ?? null);
  const word = (value: number) => value.toString(16).padStart(64, "0");
  const questions = [
    SELECTORS.getPair + pair,
    ...(feeWord ? [SELECTORS.getPoolByFee + pair + feeWord] : []),
    ...(spacingWord ? [SELECTORS.getPoolBySpacing + pair + spacingWord] : []),
    ...[0, 1].map((isStable) => SELECTORS.getPoolByKind + pair + word(isStable)),
  ];
  const answers = await ask(questions.map((data) => ({ to, data })));
  const isMade = answers.some((answer) => answer !== null && addressIn(answer.slice(0, 66)) === address);
  return isMade || (isUnread ? null : false);
}

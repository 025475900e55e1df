// Many contract calls at the end of one block, through the multicall contract where the chain has it, else as a batch.
import type { RpcCaller } from "../rpc/client.ts";
import { answerOf, type ContractAnswer } from "./contract-answer.ts";
import { type ContractCall, decodeAggregate, encodeAggregate, MULTICALL } from "./multicall.ts";
import { selectorOf } from "./signatures.ts";

export const TOKEN_SELECTORS = {
  symbol: selectorOf("symbol()"),
  name: selectorOf("name()"),
  decimals: selectorOf("decimals()"),
  totalSupply: selectorOf("totalSupply()"),
  balanceOf: selectorOf("balanceOf(address)"),
  getEthBalance: selectorOf("getEthBalance(address)"),
} as const;

/** Calls per multicall: some contracts burn all the gas they get, and nodes limit the total. */
const CALLS_MAX = 100;
const ADDRESS_HEX_LENGTH = 40;
const WORD_HEX_LENGTH = 64;

/** Coin balances come from the multicall contract itself. */
export const coinCall = (owner: string): ContractCall => ({
  to: MULTICALL,
  data: `${TOKEN_SELECTORS.getEthBalance}${owner}`,
});

const isCoinCall = ({ to, data }: ContractCall): boolean =>
  to === MULTICALL && data.startsWith(TOKEN_SELECTORS.getEthBalance);

export type ContractCalls = (calls: readonly ContractCall[], at: string) => Promise<ContractAnswer[]>;

export function createContractCalls(rpc: RpcCaller): ContractCalls {
  /** Null until it is known whether the chain has the multicall contract. */
  let hasMulticall: boolean | null = null;

  const oneByOne = async (calls: readonly ContractCall[], at: string): Promise<ContractAnswer[]> => {
    const replies = await rpc.batch(
      calls.map((call) =>
        isCoinCall(call)
          ? { method: "eth_getBalance", params: [`0x${call.data.slice(-ADDRESS_HEX_LENGTH)}`, at] }
          : { method: "eth_call", params: [call, at] },
      ),
    );
    return replies.map((reply, index) => {
      const answer = answerOf(reply);
      const isCoin = isCoinCall(calls[index] as ContractCall);
      return answer && isCoin ? `0x${answer.slice(2).padStart(WORD_HEX_LENGTH, "0")}` : answer;
    });
  };

  const together = async (calls: readonly ContractCall[], at: string): Promise<ContractAnswer[] | null> => {
    const request = { to: MULTICALL, data: encodeAggregate(calls) };
    const [reply] = await rpc.batch([{ method: "eth_call", params: [request, at] }]);
    if (!reply || "refused" in reply || typeof reply.result !== "string") return null;
    return decodeAggregate(reply.result, calls.length);
  };

  return async (calls, at) => {
    hasMulticall ??= (await rpc.call("eth_getCode", [MULTICALL, "latest"])) !== "0x";
    const answers: ContractAnswer[] = [];
    for (let start = 0; start < calls.length; start += CALLS_MAX) {
      const some = calls.slice(start, start + CALLS_MAX);
      answers.push(...((hasMulticall ? await together(some, at) : null) ?? (await oneByOne(some, at))));
    }
    return answers;
  };
}

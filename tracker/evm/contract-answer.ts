// What a contract said to a call: its words, nothing, or that the node would not ask it. The last says nothing about the
// contract, so nobody may remember it as the contract's own answer.
import type { RpcReply } from "../rpc/provider.ts";

/** Null: the contract has no such function, or refuses. Undefined: unknown, ask again. */
export type ContractAnswer = string | null | undefined;

export function answerOf(reply: RpcReply): ContractAnswer {
  if ("result" in reply)
    return typeof reply.result === "string" && reply.result !== "0x" ? reply.result : null;
  return reply.refused.kind === "reverted" ? null : undefined;
}

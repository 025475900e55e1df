// A contract's answer to a call: data, nothing, or the node's refusal to make the call. A refusal says nothing about the
// contract, so it must not be cached as the contract's answer.
import type { RpcReply } from "../rpc/provider.ts";

/** Null: the contract has no such function, or reverts. Undefined: unknown, ask again. */
export type ContractAnswer = string | null | undefined;

export function answerOf(reply: RpcReply): ContractAnswer {
  if ("result" in reply)
    return typeof reply.result === "string" && reply.result !== "0x" ? reply.result : null;
  return reply.refused.kind === "reverted" ? null : undefined;
}

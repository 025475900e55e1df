// Answers about tokens one after the other, so that one about which nothing sensible is said does not take the others' turn.
import type { LaunchAnswer } from "./chain.ts";
import { RpcUnavailable } from "./rpc/errors.ts";

export const UNKNOWN_LAUNCH: LaunchAnswer = {
  launchedAt: null,
  deployer: null,
  graduatedAt: null,
  again: "later",
};

/** A token whose question fails is asked about again later. Once no provider answers, the rest have their turn in the next round. */
export async function answersInTurn<T>(
  asked: readonly T[],
  answer: (each: T, place: number) => Promise<LaunchAnswer | null>,
): Promise<(LaunchAnswer | null)[]> {
  const answers: (LaunchAnswer | null)[] = [];
  for (const [place, each] of asked.entries()) {
    try {
      answers.push(await answer(each, place));
    } catch (error) {
      answers.push(UNKNOWN_LAUNCH);
      if (error instanceof RpcUnavailable) break;
    }
  }
  return answers;
}

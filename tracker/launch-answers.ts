// Looks up tokens one at a time, so that one failing token does not block the others.
import type { LaunchAnswer } from "./chain.ts";
import { RpcUnavailable } from "./rpc/errors.ts";

export const UNKNOWN_LAUNCH: LaunchAnswer = {
  launchedAt: null,
  deployer: null,
  graduatedAt: null,
  again: "later",
};

/** A token whose lookup fails is retried later. Once no provider answers, the rest wait for the next round. */
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

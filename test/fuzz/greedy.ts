// Callers who want more than their plan: keys that make keys, answers they claim to have, sockets that request the whole log.
// Whatever they try, each account gets only its share, pays for what it got, and no one else is affected.
import { seededRandom } from "../../kit/random.ts";
import { tryConditions } from "./conditions.ts";
import { mintKeys } from "./minted-keys.ts";
import { floodResumes } from "./resume-flood.ts";
import type { Subject } from "./subject.ts";

export interface GreedyResult {
  errors: string[];
  figures: Record<string, unknown>;
}

export async function beGreedy(subject: Subject, seed: number): Promise<GreedyResult> {
  const random = seededRandom(String(seed), "greedy");
  const [minted, conditions] = [await mintKeys(subject, random), await tryConditions(subject, random)];
  const flood = await floodResumes(subject, random);
  const all = { minted, conditions, flood };
  return {
    errors: Object.entries(all).flatMap(([name, { errors }]) => errors.map((each) => `${name}: ${each}`)),
    figures: Object.fromEntries(Object.entries(all).map(([name, { tried }]) => [name, tried])),
  };
}

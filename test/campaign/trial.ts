// One thing that the campaign tries, how often it was tried, and what did not hold.
import type { Subject } from "../fuzz/subject.ts";

export interface Outcome {
  tried: number;
  errors: string[];
  /** Not tried here, and why. */
  skipped?: string;
}

export interface Place {
  /** The program under attack, shared by the trials that do no lasting harm to it. */
  subject: Subject;
  /** Of the Scale plan, with no rate in its way. */
  key: string;
  seed: number;
  /** How many times as much as in the short run. */
  factor: number;
}

export interface Trial {
  name: string;
  /** What must hold, for the table. */
  holds: string;
  run(place: Place): Promise<Outcome>;
}

/** Notes a sentence where a condition does not hold. */
export const noting =
  (errors: string[]) =>
  (holds: boolean, sentence: string): void => {
    if (!holds) errors.push(sentence);
  };

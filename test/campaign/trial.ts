// One trial of the campaign, how often it was run, and what did not hold.
import type { Subject } from "../fuzz/subject.ts";

export interface Outcome {
  tried: number;
  errors: string[];
  /** Not run here, with the reason. */
  skipped?: string;
}

export interface Place {
  /** The program under attack, shared by the trials that do no lasting harm to it. */
  subject: Subject;
  /** On the Scale plan, without a rate limit in its way. */
  key: string;
  seed: number;
  /** The multiple of the short run's amount. */
  factor: number;
}

export interface Trial {
  name: string;
  /** The claim, for the table. */
  holds: string;
  run(place: Place): Promise<Outcome>;
}

/** Records a sentence when a condition does not hold. */
export const noting =
  (errors: string[]) =>
  (holds: boolean, sentence: string): void => {
    if (!holds) errors.push(sentence);
  };

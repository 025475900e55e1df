// The wording of a verdict about following a trader, and the look of its chip.
import type { CopyAnswer } from "../../client/src/generated.ts";

export const VERDICTS: Record<CopyAnswer["verdict"], [tone: string, words: string]> = {
  copyable: ["green", "worth following"],
  fades: ["amber", "fades with delay"],
  not_copyable: ["red", "not worth following"],
  too_few: ["", "too little to say"],
};

export const DOUBTS: Record<CopyAnswer["doubts"][number], string> = {
  roundTrips: "too few positions were opened and sold",
  coverage: "too many orders are priced by a guess",
  chance: "the result may be chance",
};

export const COPY_WINDOWS = [
  ["24h", "24 hours"],
  ["7d", "7 days"],
  ["30d", "30 days"],
] as const;

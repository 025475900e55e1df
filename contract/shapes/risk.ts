// Counts of what a trader did that hurts followers.
import { z } from "zod";
import * as leaf from "./leaves.ts";
import { shape } from "./shape.ts";

const share = (description: string, example: number) =>
  leaf.number(`${description}, as a share of 1.`, example).nullable();

const RiskCount = shape("RiskCount", "How often, next to how often others do it.", {
  x: leaf.number("How many; of soldIntoFollowers, dollars.", 3),
  n: leaf.number("Out of how many.", 40),
  rate: share("x by n; null when n is 0", 0.075),
  rateOfAll: share("The same over many traders; null while it is being computed", 0.06),
  low90: share("The rate is above this nine times of ten and more", 0.03),
  high90: share("And below this", 0.173),
  flagged: leaf
    .flag(
      "Whether low90 is above rateOfAll: more often than others, and hardly by chance; null when that is not known.",
    )
    .nullable(),
  evidence: z
    .array(leaf.text("A transaction.", "5Tx…"))
    .describe("Transactions that were counted, the newest ten at most."),
});

const UNKNOWN = ["launchBlock", "sharedFunder"] as const;

const RiskUnknown = shape("RiskUnknown", "A count that the platform can't give.", {
  count: leaf.oneOf("What can't be counted.", UNKNOWN, "sharedFunder"),
  reason: leaf.text("Why.", "The platform does not report where a wallet's first coins came from."),
});

export const RiskAnswer = shape(
  "RiskAnswer",
  "Counts next to base rates; interpreting them is up to the reader.",
  {
    handle: leaf.handle(),
    userId: leaf.userId(),
    from: leaf.time("Where the 30 days start."),
    asOf: leaf.time("Where they end."),
    available: leaf.available(),
    counts: z
      .strictObject({
        quickDump: RiskCount.describe("Positions of which half was sold within 60 s of the first buy."),
        soldIntoFollowers: RiskCount.describe(
          "Dollars sold above the trader's entry, within 60 s after someone else bought the same token.",
        ),
        followersLeftHolding: RiskCount.describe(
          "Buys after which someone bought the token for the first time, 1 to 30 s later, and still held when its price was down 80 %.",
        ),
        launchBlock: leaf.nullInSample(
          RiskCount.describe(
            "Buys in a pool's first two blocks; null where the platform can't know, see `unknown`.",
          ),
        ),
        sharedFunder: leaf.nullInSample(
          RiskCount.describe(
            "Early buyers whose first coins came from the same wallet; null where the platform can't know, see `unknown`.",
          ),
        ),
        roundTrips: RiskCount.describe(
          "Days in a token in which bought and sold differ by less than 5 % of the volume.",
        ),
        winsWhileFollowersLose: RiskCount.describe(
          "Closed positions that gained, but on which a follower lost in a replay at $100, 5 s and mirror.",
        ),
      })
      .meta({ id: "RiskCounts", description: "Each next to its base rate." }),
    unknown: z.array(RiskUnknown).describe("What is null, and why."),
    base: z
      .strictObject({
        traders: leaf.count("How many traders the base rates are of.", 150),
        asOf: leaf.time("When they were computed."),
      })
      .meta({ id: "RiskBase", description: "What rateOfAll rests on." })
      .nullable()
      .describe("null while they are being computed."),
    othersFrom: leaf.time("Since when all fills of others are captured; earlier ones are not counted."),
    truncated: leaf.truncated("Whether older positions were left out because there were too many."),
    source: leaf.oneOf("Whether the platform's own books were read just now.", ["live-upstream", "captured"]),
    note: leaf.note(),
  },
);

// Names are looked up without holding the thread, however many a filter has.
import { expect, test } from "bun:test";
import { EVERYTHING } from "./filter.ts";
import { type NameDirectory, resolveFilter } from "./resolve-filter.ts";

const NAMES = 400;

test.each(["traders", "tokens"] as const)(
  "%s that are looked up leave every few names a turn to others",
  async (field) => {
    let inARow = 0;
    let inARowMost = 0;
    const look = () => {
      inARow += 1;
      inARowMost = Math.max(inARowMost, inARow);
    };
    const directory: NameDirectory = {
      userIdOf: async () => {
        look();
        return null;
      },
      knownUserIds: async () => new Set(),
      knowsAddress: async () => {
        look();
        return false;
      },
      knowsSymbol: async () => false,
    };
    let isDone = false;
    const others = () => {
      inARow = 0;
      if (!isDone) setImmediate(others);
    };
    setImmediate(others);
    const forms = Array.from({ length: NAMES }, (_, index) =>
      field === "traders" ? `h:name${index}` : `a:${index}`,
    );
    const { unknown } = await resolveFilter({ ...EVERYTHING, userIds: [], [field]: forms }, directory);
    isDone = true;
    expect(unknown).toHaveLength(NAMES);
    expect(inARowMost).toBeLessThanOrEqual(16);
  },
);

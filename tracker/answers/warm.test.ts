// The data for token pages is loaded before anyone requests one.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database, Queries } from "../../database/database.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { seededRandom } from "../../kit/random.ts";
import { makeStory, money, openBooks, tell } from "../books/test-story.ts";
import { createDirectory } from "../roster/directory.ts";
import { openAnswering } from "./parts.ts";
import { infoOf, warmTokens } from "./tokens.ts";

test("a token's quote and daily change are looked up once, before they are requested", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-warm-"));
  const { database, sink, close } = await openBooks({ file: join(folder, "tracker.sqlite") });
  try {
    await tell(sink, makeStory(seededRandom("warm")).steps);
    const clock = systemClock();
    const log = createLog("silent", () => 0);
    const directory = createDirectory(database, clock, log);
    await directory.refresh();
    let asked = 0;
    const read: Queries = {
      ...database.read,
      all: (statement) => {
        asked += 1;
        return database.read.all(statement);
      },
      one: (statement) => {
        asked += 1;
        return database.read.one(statement);
      },
    };
    const counted: Database = Object.assign(Object.create(database), { read });
    const answering = await openAnswering({ database: counted, clock, directory, money, log });
    await answering.standings.prepare(clock.now());
    await warmTokens(answering);
    asked = 0;
    const infos = await Promise.all(
      [...answering.live.tokens()].map(({ known }) => infoOf(answering, known)),
    );
    expect(infos.some(({ priceUsd }) => priceUsd !== null)).toBe(true);
    expect(asked).toBe(0);
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
});

// The store's guarantees on every database; run on SQLite and on a real PostgreSQL. `open` returns a store on its own
// database, or on the one at a given location.

import { copyBoardSuite } from "./captured/suite-copy-board.ts";
import { directorySuite } from "./captured/suite-directory.ts";
import { historySuite } from "./captured/suite-history.ts";
import { logSuite } from "./captured/suite-log.ts";
import { logPageSuite } from "./captured/suite-log-page.ts";
import { marketSuite } from "./captured/suite-market.ts";
import { pastRanksSuite } from "./captured/suite-past-ranks.ts";
import { positionsSuite } from "./captured/suite-positions.ts";
import { tapeSuite } from "./captured/suite-tape.ts";
import { thesesSuite } from "./captured/suite-theses.ts";
import { followsSuite } from "./money/suite-follows.ts";
import { replaysSuite } from "./money/suite-replays.ts";
import { migrationsSuite } from "./suite-migrations.ts";
import { processesSuite } from "./suite-processes.ts";
import type { StoreBench } from "./suite-support.ts";

export function storeSuite(bench: StoreBench): void {
  migrationsSuite(bench);
  logSuite(bench);
  historySuite(bench);
  logPageSuite(bench);
  directorySuite(bench);
  positionsSuite(bench);
  thesesSuite(bench);
  marketSuite(bench);
  pastRanksSuite(bench);
  tapeSuite(bench);
  copyBoardSuite(bench);
  replaysSuite(bench);
  followsSuite(bench);
  processesSuite(bench);
}

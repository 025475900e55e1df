// What the store guarantees on every database; run on SQLite and on a real PostgreSQL. `open` gives a store on a
// database of its own, or on the one of a location given.
import { databaseSuite } from "./suite-database.ts";
import { directorySuite } from "./suite-directory.ts";
import { logSuite } from "./suite-log.ts";
import { logPageSuite } from "./suite-log-page.ts";
import { marketSuite } from "./suite-market.ts";
import { positionsSuite } from "./suite-positions.ts";
import { processesSuite } from "./suite-processes.ts";
import type { Bench } from "./suite-support.ts";
import { thesesSuite } from "./suite-theses.ts";

export function storeSuite(bench: Bench): void {
  databaseSuite(bench);
  logSuite(bench);
  logPageSuite(bench);
  directorySuite(bench);
  positionsSuite(bench);
  thesesSuite(bench);
  marketSuite(bench);
  processesSuite(bench);
}

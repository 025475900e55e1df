// What answers are worked out from.
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Money } from "../prices/money.ts";
import type { Directory } from "../roster/directory.ts";
import type { BooksCache } from "./books-cache.ts";

export interface AnswerParts {
  database: Database;
  clock: Clock;
  directory: Directory;
  money: Money;
  cache: BooksCache;
  source: string;
  chains: readonly number[];
}

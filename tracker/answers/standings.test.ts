// Standings updated change by change equal those computed from the full books: through forks, late transactions and new prices,
// at any moment, and after a restart.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NOTHING_HELD, splitAt } from "../../accounting/lot.ts";
import { usableMark } from "../../accounting/marks.ts";
import type { Profit } from "../../accounting/totals.ts";
import { windowProfit } from "../../accounting/window.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { seededRandom } from "../../kit/random.ts";
import { DAY_MS } from "../../kit/units.ts";
import type { PnlWindow } from "../../protocol/shapes/trader.ts";
import type { Booked } from "../books/accounting.ts";
import { readLedger } from "../books/ledger.ts";
import { makeStory, money, openBooks, ROSTER, tell } from "../books/test-story.ts";
import { seenPriceAt } from "../prices/believed.ts";
import { createDirectory } from "../roster/directory.ts";
import { type Answering, openAnswering } from "./parts.ts";
import { isSpam } from "./spam.ts";

const SEED = process.env.SEED ?? "standings";
const RUNS = Number(process.env.RUNS ?? 2);
/** The first story is always this one, in which someone makes a profit. */
const EARNING = "standings";
const WINDOWS: readonly PnlWindow[] = ["24h", "all"];
const log = createLog("silent", () => 0);

const folder = mkdtempSync(join(tmpdir(), "crowdtape-standings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Books = Awaited<ReturnType<typeof openBooks>>;

/** From every trader's moves, without unsolicited tokens. */
async function byBooks(
  { database }: Books,
  answering: Answering,
  userId: string,
  window: PnlWindow,
  at: number,
) {
  const { booked } = await readLedger(database.read, userId, money);
  const asked: (readonly Booked[])[] = [];
  for (const [key, list] of booked) {
    const of = answering.live.token(key);
    if (!of || !(await isSpam(answering, of, at))) asked.push(list);
  }
  const all = asked.flat().filter(({ change }) => change.timeMs < at);
  const byTrade = [...Map.groupBy(all, ({ after }) => after.tradeId).values()];
  const first = Math.min(at, ...all.map(({ after }) => after.openedAt));
  const from = window === "all" ? first : at - DAY_MS;
  const books = await Promise.all(
    byTrade.map(async (moves) => {
      const subject = (moves.at(-1) as (typeof moves)[0]).after;
      const { opening, later } = splitAt(
        NOTHING_HELD,
        moves.map(({ move }) => move),
        from,
      );
      const markAt = async (moment: number) => {
        const seen = await seenPriceAt(database.read, subject.chainId, subject.token, moment);
        const mark = seen && { priceUsd: seen.priceUsd, at: seen.timeMs, source: "quote" };
        return usableMark(mark, moment, at - from);
      };
      const openingMark = opening.amount > 0 ? await markAt(from) : null;
      const closingMark = subject.closedAt === null ? await markAt(at) : null;
      return { subject, opening, moves: later, openingMark, closingMark, isWhole: true };
    }),
  );
  return windowProfit(books).total;
}

/** Integer sums are exact; beyond the safe range, the order of a sum shows in its last digits. */
const DIGITS_LOST = 2 ** -50;

function differences(total: Profit, right: Profit): string[] {
  const largest = Math.max(...[...Object.values(total), ...Object.values(right)].map(Math.abs));
  const allowed = Number.isSafeInteger(largest) ? 0 : largest * DIGITS_LOST;
  return Object.entries(right).flatMap(([name, value]) => {
    const said = total[name as keyof Profit];
    return Math.abs(said - value) <= allowed ? [] : [`${name} is ${said}, by the books ${value}`];
  });
}

async function expectSame(books: Books, answering: Answering, moments: readonly number[]) {
  let earned = 0;
  for (const at of moments)
    for (const window of WINDOWS) {
      const { asOf, ranked } = await answering.standings.everybody(window, at);
      expect(asOf).toBe(at);
      expect(ranked).toHaveLength(ROSTER.length);
      for (const { trader, total } of ranked) {
        const right = await byBooks(books, answering, trader.userId, window, at);
        expect({ window, at, differences: differences(total, right) }).toEqual({
          window,
          at,
          differences: [],
        });
        earned += Math.abs(total.net);
      }
    }
  return earned;
}

for (let run = 0; run < RUNS; run++) {
  const seed = run === 0 ? EARNING : SEED;
  test(`incremental standings equal those of the full books (seed ${seed} ${run})`, async () => {
    const location = { file: join(folder, `${run}.sqlite`) };
    let follow: Awaited<ReturnType<typeof openAnswering>> | null = null;
    const books = await openBooks(location, undefined, undefined, undefined, (change) =>
      follow?.change(change),
    );
    const { database } = books;
    const directory = createDirectory(database, systemClock(), log);
    await directory.refresh();
    const open = () => openAnswering({ database, clock: systemClock(), directory, money, log });
    follow = await open();
    const { steps, chain } = makeStory(seededRandom(seed, run));
    const times = chain.map(({ block }) => block.timeMs);
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    // Between blocks, at one, after all of them, and a day later, when everything leaves the window.
    const moments = [(first + last) / 2 + 1, last, last + 1, first + DAY_MS + 1, (first + last) / 2 + DAY_MS];
    const middle = steps.length >> 1;
    await tell(books.sink, steps.slice(0, middle));
    await expectSame(books, follow, moments);
    await tell(books.sink, steps);
    const earned = await expectSame(books, follow, moments);
    if (seed === EARNING) expect(earned).toBeGreaterThan(0);
    // A freshly opened one agrees.
    await expectSame(books, await open(), moments);
    await books.close();
  });
}

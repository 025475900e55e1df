// `bun bench/readers.ts`: the cost of reading one event or position with the protocol's own readers, and with Zod in the same
// bounds. This is the figure under "Dependencies" in ARCHITECTURE.md. The best of many rounds counts, because a round that
// shares its core with others says nothing about the code.
import { z } from "zod";
import { isUuid } from "../kit/ids.ts";
import { FEED_ITEMS } from "../protocol/shapes/event.ts";
import { position, tradesPage } from "../protocol/shapes/position.ts";
import { wireBuy, wirePosition } from "../protocol/test-samples.ts";
import { normaliseAddress, normaliseHandle } from "../protocol/values.ts";

const ROWS = 1_000;
const ROUNDS = 200;
const MAGNITUDE_MAX = 1e36;
const TIME_MS_MAX = 253_402_300_799_999;
const DECIMAL = /^-?\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,2})?$/i;
const WEB_ADDRESS = /^(?:https?:\/\/|\/(?!\/))[^\s"'<>\\]*$/i;

const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null as never);
const text = (lengthMax: number) =>
  z.string().check(
    z.maxLength(lengthMax),
    z.refine((value) => !value.includes("\0")),
    z.overwrite((value) => value.toWellFormed()),
  );
const whole = (min: number, max: number) => z.number().int().min(min).max(max);
const count = whole(0, Number.MAX_SAFE_INTEGER);
const uuid = z.string().check(
  z.refine(isUuid),
  z.overwrite((value) => value.toLowerCase()),
);
const amount = z.number().min(-MAGNITUDE_MAX).max(MAGNITUDE_MAX);
const time = z.number().min(0).max(TIME_MS_MAX).overwrite(Math.floor);
const decimal = z.string().regex(DECIMAL).transform(Number);
const handle = z.string().refine((value) => !value.startsWith("@") && normaliseHandle(value) !== null);
const word = text(128).check(z.minLength(1));
const image = z
  .string()
  .max(2_048)
  .transform((value) => (WEB_ADDRESS.test(value) ? value : null));
const token = z
  .object({
    address: z.string(),
    networkId: whole(1, 2 ** 32),
    symbol: text(128),
    name: text(256),
    image: orNull(image),
    decimals: whole(0, 255),
  })
  .check((context) => {
    const address = normaliseAddress(context.value.address);
    if (address !== null) context.value.address = address;
    else context.issues.push({ code: "custom", input: context.value, path: ["address"] });
  });

const all = <T extends z.ZodType>(names: readonly string[], schema: T) =>
  Object.fromEntries(names.map((name) => [name, schema]));
const FIGURES = ["amount", "priceUsd", "positionValueUsd", "realizedPnlUsd", "realizedPnlUsdDelta"];
const FLOWS = ["boughtAmount", "soldAmount", "transferredInAmount", "transferredOutAmount"];
const WORTH = ["costBasisUsd", "proceedsUsd", "realizedPnlUsd", "unrealizedPnlUsd", "priceUsd"];

const zodEvent = z.object({
  feed: z.literal("app").default("app"),
  kind: z.enum(["buy", "sell", "thesis", "perp", "transfer", "listing"]),
  eventId: uuid,
  at: time,
  handle: orNull(handle),
  displayName: orNull(text(256)),
  token: orNull(token),
  text: orNull(text(10_000)),
  fillUsd: orNull(decimal),
  execAt: orNull(time),
  block: orNull(count),
  fillMatch: orNull(z.enum(["onchain-exact", "app"])),
  direction: orNull(z.enum(["in", "out"])),
  market: orNull(text(128)),
  side: orNull(z.enum(["long", "short"])),
  action: orNull(z.enum(["open", "increase", "decrease", "close", "liquidate"])),
  ...all(["userId", "tradeId", "swapId", "transferId"], orNull(uuid)),
  ...all(["thesisId", "txHash", "counterparty"], orNull(word)),
  ...all([...FIGURES, "valueUsd", "leverage", "sizeUsd"], orNull(amount)),
});
const zodPosition = z.object({
  ...all(["tradeId", "userId"], uuid),
  handle,
  token,
  status: z.enum(["open", "closed"]),
  isDev: z.boolean(),
  ...all([...FLOWS, ...WORTH], amount),
  ...all(["avgExitPrice", "avgTransferInPrice", "avgTransferOutPrice"], orNull(amount)),
  ...all(["openedAt", "lastActivityAt"], time),
  closedAt: orNull(time),
  thesis: orNull(z.object({ id: word, text: text(10_000), likes: count })),
});

function measure(
  what: string,
  rows: readonly Record<string, unknown>[],
  read: (row: never) => unknown,
  rounds = ROUNDS,
) {
  let bestMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    for (const row of rows) read(row as never);
    bestMs = Math.min(bestMs, performance.now() - startedAt);
  }
  console.log(`${what.padEnd(36)} ${((bestMs * 1_000) / rows.length).toFixed(2).padStart(7)} µs`);
}

function refused(read: (row: never) => unknown) {
  return (row: never) => {
    try {
      return read(row);
    } catch {
      return null;
    }
  };
}

const events = Array.from({ length: ROWS }, (_, index) => ({ ...wireBuy(index) }));
const malformed = events.map((event) => ({ ...event, fillUsd: "lots" }));
const positions = Array.from({ length: ROWS }, () => structuredClone(wirePosition));
/** As many open positions as an answer may contain, with every field malformed in each. */
const spoiled = {
  open: Array.from({ length: 5_000 }, () =>
    Object.fromEntries(Object.keys(wirePosition).map((name) => [name, {}])),
  ),
  closed: [],
  closedTotal: 0,
  nextCursor: null,
};
const zodPage = z.compile(
  z.object({
    open: z.array(zodPosition).max(5_000),
    closed: z.array(zodPosition).max(500),
    closedTotal: count,
    nextCursor: orNull(word),
  }),
  { strict: true },
);
const compiledEvent = z.compile(zodEvent, { strict: true });
const compiledPosition = z.compile(zodPosition, { strict: true });
const readEvent = (row: never) => FEED_ITEMS.app.read(row, "event");

measure("event, own reader", events, readEvent);
measure("event, Zod", events, (row) => zodEvent.parse(row));
measure("event, Zod compiled", events, (row) => compiledEvent.parse(row));
measure("malformed event, own reader", malformed, refused(readEvent));
measure("malformed event, Zod compiled", malformed, (row) => compiledEvent.safeParse(row));
measure("position, own reader", positions, (row) => position.read(row, "position"));
measure("position, Zod", positions, (row) => zodPosition.parse(row));
measure("position, Zod compiled", positions, (row) => compiledPosition.parse(row));
measure(
  "5,000 bad positions, own reader",
  [spoiled],
  refused((row) => tradesPage.read(row, "page")),
  5,
);
measure("5,000 bad positions, Zod compiled", [spoiled], (row) => zodPage.safeParse(row), 5);

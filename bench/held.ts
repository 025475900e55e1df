// S11b: the longest time that one request holds the thread, over every read of the contract and every page, with the most
// expensive parameters: the widest window, the largest limit, each order. The default world, as `npm start` serves it. Run:
// bun bench/held.ts [--quick]
import { examplePath, filledExample, PLACEHOLDERS } from "../contract/examples.ts";
import type { AnyRoute } from "../contract/route.ts";
import { ALL_ROUTES } from "../contract/routes.ts";
import { MINUTE_MS } from "../kit/units.ts";
import { type Documents, type Parameter, readDocuments } from "../test/fuzz/documents.ts";
import { DEFAULT_WORLD, type LiveService, startLiveService } from "../test/support/live-service.ts";
import { figure, spreadOf } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";
import { heldBy, turnsOf } from "./kit/turns.ts";

const HELD_MS_MAX = 20;
const SHOWN = 12;
/**
 * Requests that held the thread for longer than half the bar are repeated: a garbage collection delays whatever it happens to
 * hit.
 */
const ROUNDS = 5;
const ASKED_AGAIN_MS = HELD_MS_MAX / 2;
/** Long enough that no answer and none of its underlying reads is still cached. */
const PAST_CACHES_MS = 3 * MINUTE_MS;
const QUICK_WORLD = { ...DEFAULT_WORLD, traders: 200, historyDays: 3 };

interface Question {
  name: string;
  method: string;
  path: string;
  body?: unknown;
}

/** A parameter's maximum, or each of its allowed words. */
function extremes({ schema }: Parameter): string[] {
  const { enum: words, maximum } = schema as { enum?: unknown[]; maximum?: number };
  if (words) return words.map(String);
  return maximum === undefined ? [] : [String(maximum)];
}

/** A read's example, the same with the largest limit, and that with each extreme of each other parameter. */
function questionsOf(route: AnyRoute, values: Record<string, string>, documents: Documents): Question[] {
  const operation = documents.operations.find(({ id }) => id === route.id);
  const { params, query } = filledExample(route, values);
  const question = (inPath: Record<string, string>, inQuery: Record<string, string>): Question => {
    const path = examplePath({ ...route, example: { params: inPath, query: inQuery } } as AnyRoute, values);
    return { name: route.id, method: route.method, path };
  };
  const parameters = operation?.parameters ?? [];
  const limit = parameters.find(({ name, in: place }) => name === "limit" && place === "query");
  const most = { ...query, ...(limit ? { limit: extremes(limit)[0] ?? "100" } : {}) };
  const varied = parameters
    .filter((one) => one !== limit && one.in !== "header")
    .flatMap((parameter) =>
      extremes(parameter).map((value) =>
        parameter.in === "path"
          ? question({ ...params, [parameter.name]: value }, most)
          : question(params, { ...most, [parameter.name]: value }),
      ),
    );
  return [question(params, query), question(params, most), ...varied];
}

async function placeholders(live: LiveService): Promise<Record<string, string>> {
  const { body: board } = await live.get("getLeaderboard", "/v2/leaderboard/30d?sort=trades&limit=1");
  const { body: trending } = await live.get("getTrendingTokens", "/v2/leaderboard/tokens/trending?limit=1");
  const handle = String(board.traders[0]?.handle);
  const { body: trades } = await live.get("listTrades", `/v2/users/${handle}/trades?cursor=start&limit=1`);
  const [row] = trending.tokens;
  return {
    ...PLACEHOLDERS,
    handle,
    userId: String(board.traders[0]?.userId),
    tradeId: String(trades.trades[0]?.tradeId),
    tokenAddress: String(row?.token.address),
    symbol: String(row?.token.symbol),
  };
}

function pagesOf({ handle, tokenAddress, tradeId }: Record<string, string>): Question[] {
  const paths = [
    "/",
    "/leaderboard/all",
    "/leaderboard/30d?sort=roi&order=asc",
    "/leaderboard/copy/30d",
    `/traders/${handle}`,
    `/traders/${handle}?window=all`,
    `/tokens/${tokenAddress}`,
    `/trades/${tradeId}`,
    "/now",
    "/tape",
    "/theses",
    "/boards/trending",
    "/boards/graduated",
    "/search?q=a",
    "/following",
    `/cards/trader/${handle}.png`,
    "/docs",
    "/pricing",
    "/console",
    "/openapi.json",
    "/asyncapi.json",
    "/metrics",
    "/llms.txt",
    "/udf/search?query=a&limit=30",
  ];
  return paths.map((path) => ({ name: "page", method: "GET", path }));
}

/** One call that contains many. */
function batchOf({ handle }: Record<string, string>): Question {
  const heavy = ["pnl?window=all", "positions?limit=100", "trades", "curve?window=all", "balances"];
  const requests = Array.from({ length: 25 }, (_, index) => ({
    path: `/v2/users/${handle}/${heavy[index % heavy.length]}`,
  }));
  return { name: "batch", method: "POST", path: "/v2/batch", body: { requests } };
}

function openAsker(live: LiveService) {
  const program = new URL("./peers/asker.ts", import.meta.url).pathname;
  const child = Bun.spawn([process.execPath, program, live.url, live.keys.scale.secret], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  return {
    async ask({ method, path, body }: Question): Promise<number> {
      child.stdin.write(`${JSON.stringify({ method, path, body })}\n`);
      await child.stdin.flush();
      return Number((await lines.read()).value);
    },
    close: () => child.kill(),
  };
}

await suite(async ({ quick }): Promise<Measured> => {
  const live = await startLiveService({ ...(quick ? QUICK_WORLD : DEFAULT_WORLD), startsAt: Date.now() });
  await live.captured();
  await live.derived();
  const { seq } = await live.service.store.log.head();
  const values = await placeholders(live);
  const documents = await readDocuments(live.url);
  const reads = ALL_ROUTES.filter(({ method }) => method === "GET");
  const questions = [
    ...reads.flatMap((route) => questionsOf(route, values, documents)),
    ...pagesOf(values),
    batchOf(values),
  ].filter((one, index, all) => all.findIndex(({ path }) => path === one.path) === index);
  const asker = openAsker(live);
  let answered = 0;
  const askOnce = async (question: Question): Promise<number> => {
    live.clock.push(PAST_CACHES_MS);
    await live.derived();
    const { longest } = await turnsOf(async () => {
      if ((await asker.ask(question)) < 300) answered += 1;
    });
    return heldBy(longest);
  };
  // One-time compilation belongs to the start.
  for (const question of questions) await asker.ask(question);
  const held: { question: Question; ms: number }[] = [];
  for (const question of questions) {
    const first = await askOnce(question);
    const rounds = [first];
    while (first > ASKED_AGAIN_MS && rounds.length < ROUNDS) rounds.push(await askOnce(question));
    held.push({ question, ms: spreadOf(rounds).median });
  }
  asker.close();
  await live.stop();
  held.sort((a, b) => b.ms - a.ms);
  const over = held.filter(({ ms }) => ms > HELD_MS_MAX);
  const [worst] = held;
  return {
    findings: [
      {
        bar: `no read and no page holds the thread for more than ${HELD_MS_MAX} ms at ${figure(seq, 0)} events`,
        result: `${over.length} of ${held.length} questions do; the longest ${figure(worst?.ms ?? Number.NaN, 1)} ms`,
        met: over.length === 0,
      },
    ],
    tables: [
      {
        title: "What holds the thread longest",
        columns: ["question", "held, ms (median of up to five, others' time left out)"],
        rows: held
          .slice(0, SHOWN)
          .map(({ question, ms }) => [`${question.name}: ${question.path}`, figure(ms, 1)]),
      },
    ],
    notes: [
      `${figure(held.length, 0)} questions, ${figure(answered, 0)} times answered with what was asked for; the world and the capture share the thread, as with npm start.`,
    ],
  };
});

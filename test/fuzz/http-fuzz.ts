// The HTTP half of the fuzz: each target of each operation, with this many values, over a few concurrent connections.
import fc from "fast-check";
import { type Attack, attackOf, rightValues, targetsOf } from "./attacks.ts";
import type { Documents } from "./documents.ts";
import { createJudge, harvest } from "./judge.ts";
import type { Seen } from "./values.ts";
import { openWire } from "./wire.ts";

export interface HttpFuzzWish {
  url: string;
  documents: Documents;
  key: string;
  seed: number;
  valuesPerTarget: number;
  /** Filled from the answers. */
  seen: Seen;
  /** When to stop even if not everything was sent. */
  until?: number;
}

export interface HttpFuzzResult {
  sent: number;
  targets: number;
  /** Each of these got at least this many values. */
  leastPerTarget: number;
  answers: Record<string, number>;
  failures: string[];
  /** The costs according to the answers, and according to the balance. */
  reported: number;
  charged: number;
  cut: number;
}

/** As many as keep two cores busy without queueing. */
const CONNECTIONS = 8;
/** More than anyone reads. */
const FAILURES_KEPT = 40;
const REPLAY_ASKED_EVERY_MS = 50;
/** Values per round: names found in a round's answers are requested in the next. */
const ROUND = 25;

export async function fuzzHttp(wish: HttpFuzzWish): Promise<HttpFuzzResult> {
  const { documents, key, url, seen } = wish;
  const judge = createJudge(documents, [key], seen);
  const right = rightValues(seen, wish.seed);
  const port = Number(new URL(url).port);
  await look(url, key, seen);
  const before = await balance(url, key);
  // The reads above were paid for, but not by attacks.
  const failures: string[] = [];
  let sent = 0;
  let targets = 0;
  let least = 0;
  for (let round = 0; round * ROUND < wish.valuesPerTarget; round++) {
    const size = Math.min(ROUND, wish.valuesPerTarget - round * ROUND);
    const attacks = documents.operations.flatMap((operation, index) =>
      targetsOf(operation, seen).flatMap(({ name, make }, target): Attack[] => {
        const seed = (wish.seed ^ (round * 7_919 + index * 104_729 + target * 1_299_709)) | 0;
        return fc
          .sample(make, { seed, numRuns: size })
          .map((draft) => attackOf(operation, name, draft, right, key));
      }),
    );
    targets = attacks.length / size;
    shuffle(attacks, wish.seed + round);
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        const wire = openWire(port);
        for (let attack = attacks.pop(); attack; attack = attacks.pop()) {
          const asked = wire.exchange(attack.bytes, { bodyless: attack.method === "HEAD" });
          const answer = await asked.catch((error: unknown) => {
            failures.push(describe(attack, "nothing", String(error), key));
            wire.close();
            return null;
          });
          sent++;
          for (const error of judge.judge(attack, answer))
            if (failures.length < FAILURES_KEPT) failures.push(describe(attack, answer?.status, error, key));
        }
        wire.close();
      }),
    );
    least += size;
    if (wish.until !== undefined && Date.now() > wish.until) break;
  }
  const later = await Promise.all(judge.accepted().map((id) => costOfReplay(url, key, id)));
  const after = await balance(url, key);
  return {
    sent,
    targets,
    failures,
    reported: later.reduce((sum, cost) => sum + cost, judge.costs()),
    charged: before - after,
    cut: judge.cut(),
    leastPerTarget: least,
    answers: Object.fromEntries([...judge.answers].sort(([a], [b]) => a - b)),
  };
}

function describe({ operation, target, bytes }: Attack, status: unknown, error: string, key: string): string {
  const shown = JSON.stringify(bytes.replaceAll(key, "<key>").slice(0, 600));
  return `${operation.id} (${target}) answered ${status}: ${error}\n    ${shown}`;
}

/** A first exploration, as any client would do it. */
async function look(url: string, key: string, seen: Seen): Promise<void> {
  for (const path of [
    "/v2/leaderboard/7d?limit=20",
    "/v2/leaderboard/tokens/trending?limit=20",
    "/v2/alerts",
  ]) {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
    harvest(await response.json(), seen);
  }
}

async function balance(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/v2/me`, { headers: { authorization: `Bearer ${key}` } });
  const me = (await response.json()) as { credits: { remaining: number } };
  return me.credits.remaining;
}

/** A busy machine answers 202: the result states the cost. */
async function costOfReplay(url: string, key: string, id: string): Promise<number> {
  for (;;) {
    const response = await fetch(`${url}/v2/replays/${id}`, { headers: { authorization: `Bearer ${key}` } });
    const replay = (await response.json()) as { status: string; creditsCharged: number };
    if (replay.status !== "running") return replay.creditsCharged;
    await Bun.sleep(REPLAY_ASKED_EVERY_MS);
  }
}

/** Neighbours in the list belong to one route; a server under attack gets them mixed. */
function shuffle<T>(list: T[], seed: number): void {
  const draws = fc.sample(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), {
    seed,
    numRuns: list.length,
  });
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor((draws[at] ?? 0) * (at + 1));
    const [a, b] = [list[at] as T, list[other] as T];
    list[at] = b;
    list[other] = a;
  }
}

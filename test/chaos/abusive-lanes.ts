// Lanes that use the service like careless and greedy clients: the same POST repeated to any node until it is answered, keys
// that make keys, and floods of sockets that request the whole log with filters that match nothing.
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import { type Random, seededRandom } from "../../kit/random.ts";
import type { Entry } from "./journal.ts";
import type { AbusiveLane, LoadWish } from "./load-wish.ts";

export interface LaneParts {
  wish: LoadWish;
  write(entry: Entry): void;
  ending: AbortSignal;
}

const TRIES_MAX = 12;
const AGAIN_MS = 300;
/** Enough to get in the way, and little enough that a small machine still does its own work. */
const FLOOD_MAX = 6;
const FLOOD_PAUSE_MS = 300;
const BATCH_PAUSE_MS = 150;

interface Sending {
  random: Random;
  secret: string;
  path: string;
  body: unknown;
  idempotencyKey: string;
}

interface Final {
  status: number;
  body: unknown;
}

/**
 * One POST, repeated with one idempotency key to any node until it gets a final answer. Null: its outcome is unknown, because
 * every answer was lost, or because the process that held the key died.
 */
async function insist(
  { wish, ending }: LaneParts,
  { random, secret, path, body, idempotencyKey }: Sending,
): Promise<Final | null> {
  let isHeld = false;
  for (let tried = 0; tried < TRIES_MAX; tried++) {
    try {
      const answer = await fetch(`${random.pick(wish.urls)}${path}`, {
        method: "POST",
        keepalive: false,
        headers: {
          authorization: `Bearer ${secret}`,
          "content-type": "application/json",
          "idempotency-key": idempotencyKey,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(wish.requestTimeoutMs),
      });
      const reported = (await answer.json()) as { error?: string };
      isHeld ||= reported.error === "conflict";
      // Free refusals: nothing was done, or it is still in progress.
      if (!["conflict", "unavailable", "rate_limited"].includes(reported.error ?? ""))
        return { status: answer.status, body: reported };
    } catch {
      isHeld = true;
    }
    if (ending.aborted && !isHeld) break;
    await Bun.sleep(AGAIN_MS);
  }
  return null;
}

const BATCH_SIZE_MAX = 8;

/** Batches of reads, each repeated until answered: its contents are charged once, whichever node answers in the end. */
export async function batchLane(parts: LaneParts, { lane, secret }: AbusiveLane): Promise<void> {
  const { wish, write, ending } = parts;
  const random = seededRandom(wish.seed, lane);
  const reads = wish.known.flatMap(({ handle, tradeId, tokenAddress }) => [
    ["getBalances", `/v2/users/${handle}/balances`] as const,
    ["getTrade", `/v2/trades/${tradeId}`] as const,
    ["getTokenStats", `/v2/token/${tokenAddress}/stats`] as const,
    ["getLeaderboard", "/v2/leaderboard/7d?limit=3"] as const,
  ]);
  for (let count = 0; !ending.aborted; count++) {
    const asked = Array.from({ length: 1 + random.below(BATCH_SIZE_MAX) }, () => random.pick(reads));
    const startedAt = Date.now();
    const body = { requests: asked.map(([, path]) => ({ path })) };
    const idempotencyKey = `${lane}-${count}`;
    const end = await insist(parts, { random, secret, path: "/v2/batch", body, idempotencyKey });
    const responses = end?.status === 200 ? (end.body as AnswerOf<Routes["batch"]>).responses : null;
    const wrong =
      end === null || responses?.length === asked.length ? [] : [`a batch answered ${end.status}`];
    for (const [index, [routeId, path]] of asked.entries()) {
      const { headers, status, body: own } = responses?.[index] ?? {};
      const reported = headers && {
        status: status ?? 0,
        cost: Number(headers["x-credits-cost"]),
        requestId: headers["x-request-id"],
        error: (own as { error?: string } | null)?.error ?? null,
      };
      write({
        type: "request",
        lane,
        routeId,
        path: `batch ${path}`,
        startedAt,
        // It was sent several times, so its duration means nothing.
        endedAt: startedAt,
        answer: reported ?? null,
        wrong,
      });
    }
    await Bun.sleep(BATCH_PAUSE_MS);
  }
}

/** Keys that make keys: repeated until answered, each is made once; one with a cap makes none. */
export async function mintLane(parts: LaneParts, { lane, secret }: AbusiveLane): Promise<void> {
  const { wish, write, ending } = parts;
  const random = seededRandom(wish.seed, lane);
  let capped: string | null = null;
  for (let count = 0; !ending.aborted && count < MINTED_MAX; count++) {
    const name = `minted-${count}`;
    const makes = capped !== null && random.chance(0.3) ? capped : secret;
    const isCapped = random.chance(0.3);
    const end = await insist(parts, {
      random,
      secret: makes,
      path: "/v2/keys",
      idempotencyKey: `${lane}-${count}`,
      body: { name, ...(isCapped ? { monthlyCap: 1_000 } : {}) },
    });
    const wanted = makes === secret ? 201 : 403;
    if (end?.status === 201 && isCapped) capped = (end.body as { key: string }).key;
    write({
      type: "minted",
      lane,
      name,
      status: end?.status ?? null,
      wrong: end === null || end.status === wanted ? [] : [`${end.status} in place of ${wanted}`],
    });
    await Bun.sleep(AGAIN_MS);
  }
}

/** Below an account's limit. */
const MINTED_MAX = 60;

/** Sockets that want all of the log and match none of it, with and without a key, as many as are let in. */
export async function floodLane({ wish, ending }: LaneParts, { lane, secret }: AbusiveLane): Promise<void> {
  const random = seededRandom(wish.seed, lane);
  let epoch = "none";
  const open = async () => {
    const base = random.pick(wish.urls).replace("http:", "ws:");
    const key = random.chance(0.7) ? `&key=${secret}` : "";
    const filter = random.pick(["trader=unknown_handle", "source=push&type=buy", "minUsd=900000000000"]);
    const socket = new WebSocket(`${base}/ws/alerts?resume=${epoch}.0&${filter}${key}`);
    const closed = new Promise<void>((resolve) => socket.addEventListener("close", () => resolve()));
    socket.addEventListener("message", ({ data }) => {
      const frame = JSON.parse(String(data)) as { type: string; epoch?: string };
      if (frame.epoch) epoch = frame.epoch;
      if (frame.type === "resumed" || frame.type === "gap") socket.close();
    });
    const patience = setTimeout(() => socket.close(), FLOOD_PATIENCE_MS);
    const leave = () => socket.close();
    ending.addEventListener("abort", leave, { once: true });
    await closed;
    ending.removeEventListener("abort", leave);
    clearTimeout(patience);
  };
  const again = async () => {
    while (!ending.aborted) {
      await open().catch(() => undefined);
      await Bun.sleep(FLOOD_PAUSE_MS + random.below(2 * FLOOD_PAUSE_MS));
    }
  };
  await Promise.all(Array.from({ length: FLOOD_MAX }, again));
}

const FLOOD_PATIENCE_MS = 3_000;

// Conditional requests: an answer is free only to a caller who names that very answer. Anything else is read and paid for,
// both alone and inside a batch, and the balance agrees with the stated costs.
import type { Random } from "../../kit/random.ts";
import { ask, type Reply, remaining, type Tried } from "./asking.ts";
import type { Subject } from "./subject.ts";

const TRIES = 40;
const WINDOWS = ["24h", "7d", "30d", "all"];

export async function tryConditions(subject: Subject, random: Random): Promise<Tried> {
  const { key } = await subject.makeKey("scale");
  const before = await remaining(subject, key);
  const known = new Map<string, string>();
  const errors: string[] = [];
  let reported = 0;
  for (let tried = 0; tried < TRIES; tried++) {
    const path = pathOf(random, tried);
    const foreign = [...known].filter(([each]) => each !== path).map(([, etag]) => etag);
    const own = known.get(path);
    const condition = random.pick([
      "*",
      "W/*",
      '*, "a"',
      '"stale"',
      '""',
      ...foreign.slice(-3),
      foreign.join(", ") || "*",
      ...(own === undefined ? [] : [own, `W/${own}`, `"x", ${own}`]),
    ]);
    const headers = { "if-none-match": condition.slice(0, 250) };
    const isBatch = random.chance(0.3);
    const answer = isBatch
      ? await insideBatch(subject, key, path, headers)
      : await ask(subject, key, path, { headers });
    reported += answer.cost;
    const etag = answer.headers.get("etag");
    if (answer.status === 304 && (etag === null || !headers["if-none-match"].includes(etag)))
      errors.push(`${path} with ${condition} was a 304`);
    if (answer.status === 304 && answer.cost !== 0) errors.push(`a 304 of ${path} cost ${answer.cost}`);
    if (answer.status === 200 && answer.cost === 0) errors.push(`${path} with ${condition} was free`);
    if (answer.status === 200 && etag !== null) known.set(path, etag);
  }
  const charged = before - (await remaining(subject, key));
  if (charged !== reported) errors.push(`the answers say ${reported} credits, the balance of ${charged}`);
  return { errors, tried: TRIES };
}

/** Half of them were never requested before: a cold read is the expensive one. */
function pathOf(random: Random, tried: number): string {
  const window = random.pick(WINDOWS);
  return random.pick([
    `/v2/leaderboard/${window}?limit=${1 + random.below(4)}`,
    "/v2/leaderboard/tokens/trending?limit=2",
    `/v2/search?q=cold${tried}`,
    `/v2/leaderboard/${window}?limit=${1 + tried}&sort=volume`,
  ]);
}

async function insideBatch(
  subject: Subject,
  key: string,
  path: string,
  headers: Record<string, string>,
): Promise<Pick<Reply, "status" | "headers" | "cost">> {
  const { body } = await ask(subject, key, "/v2/batch", {
    method: "POST",
    body: { requests: [{ path, headers }] },
  });
  const [one] = body.responses as { status: number; headers: Record<string, string> }[];
  const own = new Headers(one?.headers ?? {});
  return { status: one?.status ?? 0, headers: own, cost: Number(own.get("x-credits-cost")) };
}

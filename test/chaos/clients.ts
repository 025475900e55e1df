// The load on a deployment: a key and an account for each requesting lane, sockets in realtime and delayed, and existing names
// to ask for.
import { DAY_MS } from "../../kit/units.ts";
import type { Access } from "../../service/access/access.ts";
import type { Store } from "../../service/store/store.ts";
import { eventually } from "../support/eventually.ts";
import type { Deployment } from "./deployment.ts";
import type { LoadWish } from "./load-wish.ts";
import type { StreamLane } from "./verify.ts";

const HTTP_LANES = 6;
const PLENTY_A_MINUTE = 1_000_000;
const EIGHT_DAYS_MS = 8 * DAY_MS;
const FREE_DELAY_MS = 15_000;
/** Longer than any scripted fault plus the service's longest wait for its database. */
export const REQUEST_TIMEOUT_MS = 45_000;

export interface Clients {
  wish: LoadWish;
  /** Each requesting lane's account. */
  accounts: Record<string, string>;
  streams: StreamLane[];
  /** A key that no lane uses. */
  probe: string;
}

export async function prepareClients(
  deployment: Deployment,
  seed: string,
  journal: string,
): Promise<Clients> {
  const books = await deployment.books();
  try {
    const known = await knownOf(books.store);
    const accounts: Record<string, string> = {};
    const httpLanes: LoadWish["httpLanes"] = [];
    for (let index = 0; index < HTTP_LANES; index++) {
      const lane = `http-${index}`;
      const { secret, accountId } = await makeKey(books.access, true);
      accounts[lane] = accountId;
      httpLanes.push({ lane, secret });
    }
    const abusive = async (lane: string, mayManage: boolean) => {
      const { secret, accountId } = await makeKey(books.access, true, mayManage);
      accounts[lane] = accountId;
      return [{ lane, secret }];
    };
    const batchLanes = [...(await abusive("batch-0", false)), ...(await abusive("batch-1", false))];
    const mintLanes = await abusive("mint", true);
    const floodLanes = await abusive("flood", false);
    const { secret: realtime } = await makeKey(books.access, true);
    const { secret: delayed } = await makeKey(books.access, false);
    const { secret: probe } = await makeKey(books.access, true);
    const streams: StreamLane[] = [
      { lane: "alerts", feeds: ["app", "push"], delayMs: 0 },
      { lane: "trades", feeds: ["chain"], delayMs: 0 },
      { lane: "delayed", feeds: ["app", "push"], delayMs: FREE_DELAY_MS },
    ];
    const wish: LoadWish = {
      seed,
      urls: deployment.clientUrls,
      journal,
      httpLanes,
      known,
      batchLanes,
      mintLanes,
      floodLanes,
      streamLanes: [
        { lane: "alerts", secret: realtime, path: "/ws/alerts" },
        { lane: "trades", secret: realtime, path: "/ws/trades" },
        { lane: "delayed", secret: delayed, path: "/ws/alerts" },
      ],
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
    };
    return { wish, accounts, streams, probe };
  } finally {
    await books.close();
  }
}

/** One that may manage keys has its plan's rate. */
async function makeKey({ grants, keys }: Access, isPaid: boolean, mayManage = false) {
  const account = await grants.openAccount("chaos@example.com");
  const accountId = account.id;
  if (isPaid) await grants.payForPlan({ accountId, plan: "scale", reference: `chaos:${accountId}` });
  const createdAt = isPaid ? {} : { createdAt: Date.now() - EIGHT_DAYS_MS };
  const { secret } = await keys.create({
    accountId,
    name: null,
    requestsPerMinute: mayManage ? null : PLENTY_A_MINUTE,
    ...createdAt,
  });
  return { secret, accountId };
}

/** Faults also hit a node that is reading the history, but not in every round. */
export async function settled(deployment: Deployment): Promise<void> {
  const books = await deployment.books();
  try {
    await eventually(async () => {
      const [newest] = (await books.store.log.page({ feed: "app", limit: 1 })).events;
      return newest !== undefined && Date.now() - newest.at < SETTLED_WITHIN_MS;
    }, "capture has caught up");
  } finally {
    await books.close();
  }
}

const SETTLED_WITHIN_MS = 60_000;
const KNOWN_AT_LEAST = 10;

/** Existing people, tokens and trades, taken from the log. */
async function knownOf(store: Store): Promise<LoadWish["known"]> {
  const known: LoadWish["known"] = [];
  await eventually(async () => {
    known.length = 0;
    for (const event of await store.log.readAfter(0, { limit: 200, feeds: ["app"] })) {
      if (event.feed !== "app" || !event.userId || !event.handle || !event.tradeId || !event.token) continue;
      const { address: tokenAddress, symbol } = event.token;
      known.push({
        handle: event.handle,
        userId: event.userId,
        tradeId: event.tradeId,
        tokenAddress,
        symbol,
      });
    }
    return known.length >= KNOWN_AT_LEAST;
  }, "the log has some events");
  return known.slice(0, KNOWN_AT_LEAST);
}

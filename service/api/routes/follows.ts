// The caller's paper follows: created, read and stopped. All free; their orders are charged as they are booked.
import { fault } from "../../../contract/errors.ts";
import { FOLLOW } from "../../../contract/follows.ts";
import type { BodyOf } from "../../../contract/route.ts";
import type { Routes } from "../../../contract/routes.ts";
import { secureBase62 } from "../../../kit/base62.ts";
import { DAY_MS, MINUTE_MS } from "../../../kit/units.ts";
import { medianFees } from "../../../replay/leader.ts";
import { beginPaper, type PaperTerms } from "../../../replay/paper.ts";
import type { KeyCaller } from "../../access/identity/caller.ts";
import { booksWithin } from "../../model/books.ts";
import { nameOfToken } from "../../model/token.ts";
import { lockAccounts } from "../../store/money/accounts.ts";
import {
  countFollows,
  findFollow,
  followsOf,
  insertFollow,
  paperOfFollow,
  type StoredFollow,
  stopFollow,
} from "../../store/money/follows.ts";
import type { Handler, RouteCall } from "../answer.ts";
import { copiedBooks, leaderPositions, PERPS_NETWORK_ID } from "../copy/leader.ts";
import { presentTerms, replayTerms } from "../copy/terms.ts";
import { keepPaper } from "../paper/kept.ts";
import type { PaperTokenName } from "../paper/moves.ts";
import { type KeptTerms, type PaperOrderBody, presentFollow } from "../paper/present.ts";
import type { ReadBooks } from "../profit/books-reader.ts";
import type { Services } from "../services.ts";
import type { Identify } from "../traders.ts";

type FollowHandlers = {
  [Id in "createFollow" | "listFollows" | "getFollow" | "stopFollow" | "listFollowOrders"]: Handler<
    Routes[Id]
  >;
};

const ID_CHARACTERS = 14;
const ORDERS_A_PAGE = 100;
/** The period from which the leader's usual network fee per order is derived. */
const FEES_OF_MS = 30 * DAY_MS;
/** Clock differences: an event is in the log within this long of happening. */
const CLOCKS_MS = MINUTE_MS;

export function followRoutes(
  {
    profits,
    store,
    paper,
    chains,
    clock,
  }: Pick<Services, "profits" | "store" | "paper" | "chains" | "clock">,
  identify: Identify,
): FollowHandlers {
  const own = async (followId: string, call: RouteCall): Promise<StoredFollow> => {
    const follow = await findFollow(store.database.read, accountOf(call), followId);
    if (!follow) throw fault("not_found", "There is no follow of yours with this id.");
    return follow;
  };

  const insert = (follow: StoredFollow) =>
    store.database.write(async (tx) => {
      // Locking the account keeps the count exact until the follow is inserted.
      await lockAccounts(tx, [follow.accountId]);
      await requireRoom((status) => countFollows(tx, follow.accountId, status));
      await insertFollow(tx, follow);
    });

  return {
    async createFollow({ body }, call) {
      const asked = replayTerms(body, { from: 0, to: 0 }, chains);
      const trader = await identify(body.trader, call);
      const caller = call.caller as KeyCaller;
      const { accountId } = caller;
      await requireRoom((status) => countFollows(store.database.read, accountId, status));
      const books = await profits.books.read(trader, call.asOf, call);
      const { epoch } = await store.log.head();
      const now = clock.now();
      const { kept, networkFees } = begin(books, body, now);
      const { from: _, to: __, copyOpen: ___, ...how } = asked;
      const fold: PaperTerms = { ...how, networkFees };
      const { window: ____, ...shown } = presentTerms(asked, { window: undefined, from: 0 }, chains);
      const follow: StoredFollow = {
        followId: `flw_${secureBase62(ID_CHARACTERS)}`,
        accountId,
        keyId: caller.keyId,
        capOf: caller.key.monthlyCap === null ? null : caller.key.lineage,
        ...trader,
        status: "active",
        waitingFor: null,
        note: null,
        version: 0,
        epoch,
        position: await store.log.positionAt(books.asOf - CLOCKS_MS),
        orders: 0,
        paidBlocks: 0,
        createdAt: now,
        stoppedAt: null,
        terms: JSON.stringify({ shown, fold } satisfies KeptTerms),
        state: JSON.stringify(kept),
      };
      await insert(follow);
      paper.wake();
      return { body: presentFollow(follow, chains) };
    },

    async listFollows(_input, call) {
      const rows = await followsOf(store.database.read, accountOf(call));
      const follows = rows.map((follow) => presentFollow(follow, chains));
      return { body: { count: follows.length, limit: FOLLOW.perAccountMax, follows } };
    },

    async getFollow({ params }, call) {
      return { body: presentFollow(await own(params.followId, call), chains) };
    },

    async stopFollow({ params }, call) {
      const { followId, accountId } = await own(params.followId, call);
      await store.database.write((tx) => stopFollow(tx, accountId, followId, clock.now()));
      return { body: presentFollow(await own(followId, call), chains) };
    },

    async listFollowOrders({ params, query }, call) {
      const { followId, orders: total } = await own(params.followId, call);
      const from = query.cursor === "start" ? 0 : Number(query.cursor);
      const rows = await paperOfFollow(store.database.read, followId, from, ORDERS_A_PAGE);
      const next = from + rows.length;
      const isLast = next >= total;
      return {
        body: {
          id: followId,
          count: rows.length,
          total,
          orders: rows.map((row) => JSON.parse(row.body) as PaperOrderBody),
          nextCursor: isLast ? null : String(next),
          complete: isLast,
        },
      };
    },
  };
}

const accountOf = ({ caller }: RouteCall): string => (caller as KeyCaller).accountId;

/** An account that begins with the leader's holdings in these books. */
function begin(
  books: ReadBooks,
  { copyOpen }: Pick<BodyOf<Routes["createFollow"]>, "copyOpen">,
  now: number,
) {
  const { asOf, rows } = books;
  const open = booksWithin(rows, { from: asOf, to: asOf + 1 })
    .map(({ position: { token }, opening }) => ({ token, amount: opening.amount }))
    .filter(({ token, amount }) => amount > 0 && token.networkId !== PERPS_NETWORK_ID);
  const held = open.map(({ token, amount }) => ({
    token: nameOfToken(token),
    networkId: token.networkId,
    amount,
  }));
  const names: Record<string, PaperTokenName> = {};
  if (copyOpen)
    for (const { token } of open) {
      const { address, symbol, networkId } = token;
      names[nameOfToken(token)] = { address, symbol, networkId };
    }
  const copied = copiedBooks(rows, { from: asOf - FEES_OF_MS, to: asOf });
  const fees = medianFees(leaderPositions(copied, new Map()));
  const networkFees = Object.fromEntries([...fees].map(([networkId, usd]) => [String(networkId), usd]));
  return { kept: keepPaper(beginPaper(now, held, copyOpen), asOf, names), networkFees };
}

async function requireRoom(count: (status: StoredFollow["status"]) => Promise<number>): Promise<void> {
  if ((await count("active")) >= FOLLOW.perAccountMax)
    throw fault("conflict", `An account may have ${FOLLOW.perAccountMax} active follows. Stop one first.`);
  if ((await count("stopped")) >= FOLLOW.stoppedMax)
    throw fault(
      "conflict",
      `${FOLLOW.stoppedMax} follows were stopped within ${FOLLOW.stoppedKeptDays} days. Wait until the oldest is deleted.`,
    );
}

// Replays under the caller's own terms. The same question at the same log position has the same id, so that it is computed
// once and read again for free; each account has its own.
import { createHash } from "node:crypto";
import { fault } from "../../../contract/errors.ts";
import type { AnswerOf } from "../../../contract/route.ts";
import { REPLAY_FILLS_A_UNIT } from "../../../contract/routes/replays.ts";
import { ROUTES, type Routes } from "../../../contract/routes.ts";
import { freshUuid } from "../../../kit/ids.ts";
import { SECOND_MS } from "../../../kit/units.ts";
import type { ReplayOrder } from "../../../replay/order.ts";
import type { ReplayTerms } from "../../../replay/terms.ts";
import type { KeyCaller } from "../../access/identity/caller.ts";
import {
  countRunning,
  dropOldest,
  findOrderPage,
  findReplay,
  holdReplay,
  type ReplayName,
  SILENT_AFTER_MS,
  type StoredReplay,
} from "../../store/money/replays.ts";
import type { Handler, RouteAnswer, RouteCall } from "../answer.ts";
import type { OnProgress } from "../copy/follow.ts";
import { type JobResult, RUNNING_PER_ACCOUNT_MAX, tooManyOfAccount } from "../copy/jobs.ts";
import {
  copiedBooks,
  type FollowedLeader,
  type FollowedSubject,
  fillsOf,
  subjectsOf,
} from "../copy/leader.ts";
import { noteOf, presentFollowed, presentOrder } from "../copy/present.ts";
import { type Selected, selectLeaders } from "../copy/select.ts";
import { type AskedTerms, boundsOf, presentTerms, replayTerms } from "../copy/terms.ts";
import { inTurn } from "../in-turn.ts";
import { iso } from "../present/common.ts";
import type { ReadBooks } from "../profit/books-reader.ts";
import type { Services } from "../services.ts";
import type { Identify, TraderIdentity } from "../traders.ts";

type ReplayBody = AnswerOf<Routes["createReplay"]>;
type OrdersBody = AnswerOf<Routes["listReplayOrders"]>;
/** Known when it is requested. */
type ReplayQuestion = Pick<ReplayBody, "terms" | "from" | "asOf" | "logSeq"> & WhoIsCopied;
/** Also known then or, if leaders are chosen, with the answer. */
type WhoIsCopied = Pick<ReplayBody, "handle" | "userId" | "leaders" | "choices" | "fills">;

type ReplayHandlers = {
  [Id in "createReplay" | "getReplay" | "cancelReplay" | "listReplayOrders"]: Handler<Routes[Id]>;
};

/** A fold over this many takes seconds; no trader has made more in half a year. */
const FILLS_MAX = 100_000;
/** The deadline of a live read in a replay that no caller waits for. */
const JOB_READ_MS = 30 * SECOND_MS;
const ORDERS_A_PAGE = 100;
/** Those that are running are not counted. */
const ENDED_PER_ACCOUNT_MAX = 200;
/** Concurrent trader lookups. */
const READERS_MAX = 4;

interface AskedReplay {
  name: ReplayName;
  question: ReplayQuestion;
  terms: ReplayTerms;
  /** Null: still to be chosen. */
  leaders: FollowedLeader[] | null;
  select: AskedTerms["select"];
}

export function replayRoutes(
  services: Pick<Services, "profits" | "follow" | "replayJobs" | "store" | "access" | "chains" | "clock">,
  identify: Identify,
): ReplayHandlers {
  const { profits, follow, replayJobs, store, access, chains, clock } = services;

  const shown = async (name: ReplayName): Promise<ReplayBody> => {
    const row = await findReplay(store.database.read, name);
    if (!row) throw fault("not_found", "There is no replay of yours with this id.");
    return present(name, row, clock.now());
  };

  const leadersOf = async (
    { leaders, select, terms }: AskedReplay,
    call: RouteCall,
    onProgress: OnProgress,
  ): Promise<Selected> => {
    if (leaders || !select) return { leaders: leaders ?? [], choices: [], note: null };
    const parts = { store, books: profits.books, identify };
    const selected = await selectLeaders(parts, select, terms, call, () => onProgress(0));
    if (fillsOf(selected.leaders) > FILLS_MAX) throw tooMany();
    return selected;
  };

  const work = async (asked: AskedReplay, call: RouteCall, onProgress: OnProgress): Promise<JobResult> => {
    const { leaders, choices, note: lacks } = await leadersOf(asked, call, onProgress);
    const followed = await follow({ leaders, terms: asked.terms }, call, onProgress);
    const { answer } = followed;
    const { credits, miss } = ROUTES.createReplay.price;
    const who = asked.select ? whoIsCopied(leaders, choices) : {};
    const known = noteOf(leaders, followed, asked.terms, chains);
    const note = [lacks, known].filter((each) => each !== null).join(" ") || null;
    return {
      answer: JSON.stringify({ ...presentFollowed(followed, leaders), note, who }),
      cost: answer.verdict === "too_few" ? miss : credits * unitsOf(fillsOf(leaders)),
      orders: answer.orders.length,
      pages: pagesOf(answer.orders, leaders),
    };
  };

  function* pagesOf(orders: readonly ReplayOrder[], leaders: readonly FollowedLeader[]): Generator<string> {
    const subjects = subjectsOf(leaders);
    for (let first = 0; first < orders.length; first += ORDERS_A_PAGE) {
      const page = orders.slice(first, first + ORDERS_A_PAGE).map((order, index) => {
        const { token, handle } = subjects[order.position] as FollowedSubject;
        return { ...presentOrder(order, first + index, token, chains), handle };
      });
      yield JSON.stringify(page);
    }
  }

  /** Null when another call has meanwhile started the same one. */
  const start = async (
    asked: AskedReplay,
    call: RouteCall,
  ): Promise<{ job: Promise<{ cost: number }> } | null> => {
    const { accountId } = asked.name;
    // Includes those on other nodes.
    if ((await countRunning(store.database.read, accountId, clock.now())) >= RUNNING_PER_ACCOUNT_MAX)
      throw tooManyOfAccount();
    const held = { ...asked.name, holder: freshUuid() };
    const question = JSON.stringify(asked.question);
    const isHeld = await store.database.write(async (tx) => {
      const at = clock.now();
      if (!(await holdReplay(tx, held, question, at))) return false;
      await dropOldest(tx, asked.name.accountId, ENDED_PER_ACCOUNT_MAX, at);
      return true;
    });
    if (!isHeld) return null;
    const job = replayJobs.run({
      name: held,
      caller: call.caller as KeyCaller,
      requestId: call.requestId,
      work: (onProgress, signal) => work(asked, { ...call, deadlineMs: JOB_READ_MS, signal }, onProgress),
    });
    return { job };
  };

  /** Starts it; waits if the answer may be ready within the call. */
  const begin = async (asked: AskedReplay, call: RouteCall): Promise<RouteAnswer<ReplayBody>> => {
    const { name } = asked;
    const { fills } = asked.question;
    const caller = call.caller as KeyCaller;
    // The first unit was already admitted with the call.
    if (unitsOf(fills) > 1) (await access.admit(caller, ROUTES.createReplay, unitsOf(fills))).release();
    const leave = replayJobs.enter(name.accountId);
    const started = await start(asked, call).catch((error) => {
      leave();
      throw error;
    });
    if (started === null) {
      leave();
      return again(await shown(name));
    }
    const { job } = started;
    job.then(leave, leave);
    const cost = fills > REPLAY_FILLS_A_UNIT ? null : await withinCall(job, name, call);
    if (cost !== null) call.carried(cost, call.rate);
    return again(await shown(name));
  };

  /** Its cost; null when it takes longer than a call may. A caller who disconnects cancels it. */
  const withinCall = async (job: Promise<{ cost: number }>, name: ReplayName, call: RouteCall) => {
    const over = new AbortController();
    // If the store is down, it simply runs to its end.
    const gone = () => void replayJobs.cancel(name).catch(() => undefined);
    call.signal.addEventListener("abort", gone);
    try {
      const late = clock.sleep(call.deadlineMs, over.signal).then(
        () => null,
        () => null,
      );
      return (await Promise.race([job, late]))?.cost ?? null;
    } finally {
      over.abort();
      call.signal.removeEventListener("abort", gone);
    }
  };

  return {
    async createReplay({ body }, call) {
      const asked = await read(body, call);
      const known = await findReplay(store.database.read, asked.name);
      const status = known && statusOf(known, clock.now());
      if (known && (status === "done" || status === "running"))
        return again(present(asked.name, known, clock.now()));
      return begin(asked, call);
    },

    async getReplay({ params }, call) {
      return { body: await shown(nameOf(params.replayId, call)) };
    },

    async cancelReplay({ params }, call) {
      const name = nameOf(params.replayId, call);
      await shown(name);
      await replayJobs.cancel(name);
      return { body: await shown(name) };
    },

    async listReplayOrders({ params, query }, call) {
      const name = nameOf(params.replayId, call);
      const { status, orders: total } = await shown(name);
      if (status !== "done") throw fault("conflict", `This replay is ${status}, and has no orders to show.`);
      const page = query.cursor === "start" ? 0 : Number(query.cursor);
      const text = await findOrderPage(store.database.read, name, page);
      const orders = text === null ? [] : (JSON.parse(text) as OrdersBody["orders"]);
      const isLast = (page + 1) * ORDERS_A_PAGE >= total;
      return {
        body: {
          id: name.replayId,
          count: orders.length,
          total,
          orders,
          nextCursor: isLast ? null : String(page + 1),
          complete: isLast,
        },
      };
    },
  };

  /** The traders that the caller names, each once. */
  async function namedBy({ trader, traders }: AskedTerms, call: RouteCall): Promise<TraderIdentity[]> {
    const asked = trader ? [trader] : (traders ?? []);
    const found = await inTurn(asked, READERS_MAX, (each) => identify(each, call));
    if (new Set(found.map(({ userId }) => userId)).size < found.length)
      throw fault("invalid_body", "traders must name each trader once.", { param: "traders" });
    return found;
  }

  async function read(body: AskedTerms, call: RouteCall): Promise<AskedReplay> {
    const wanted = boundsOf(body, call.asOf);
    replayTerms(body, wanted, chains);
    const who = await namedBy(body, call);
    const head = await store.log.head();
    const books = await inTurn(who, READERS_MAX, (each) => profits.books.read(each, wanted.to, call));
    const to = books.reduce((earliest, { asOf }) => Math.min(earliest, asOf), wanted.to);
    const terms = replayTerms(body, { ...wanted, to }, chains);
    const leaders = who.map((each, place): FollowedLeader => {
      const own = books[place] as ReadBooks;
      return { who: each, books: own, copied: copiedBooks(own.rows, terms), chosen: null };
    });
    if (fillsOf(leaders) > FILLS_MAX) throw tooMany();
    const shownTerms = { ...presentTerms(terms, body, chains), select: body.select ?? null };
    const question: ReplayQuestion = {
      ...whoIsCopied(leaders, null),
      terms: shownTerms,
      from: iso(terms.from),
      asOf: iso(terms.to),
      logSeq: head.seq,
    };
    const ids = who.map(({ userId }) => userId).join(" ");
    const replayId = idOf([ids, shownTerms, body.from ?? null, body.to ?? null, head.epoch, head.seq]);
    const chosen = body.select ? null : leaders;
    return { name: nameOf(replayId, call), question, terms, leaders: chosen, select: body.select };
  }
}

function whoIsCopied(leaders: readonly FollowedLeader[], choices: WhoIsCopied["choices"]): WhoIsCopied {
  const only = choices === null && leaders.length === 1 ? leaders[0]?.who : null;
  return {
    handle: only?.handle ?? null,
    userId: only?.userId ?? null,
    leaders: leaders.map(({ who, copied: { fills } }) => ({
      handle: who?.handle ?? null,
      userId: who?.userId ?? null,
      fills,
    })),
    choices,
    fills: fillsOf(leaders),
  };
}

const idOf = (parts: readonly unknown[]): string =>
  `rpl_${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)}`;

const nameOf = (replayId: string, { caller }: RouteCall): ReplayName => ({
  accountId: (caller as KeyCaller).accountId,
  replayId,
});

const unitsOf = (fills: number): number => Math.max(1, Math.ceil(fills / REPLAY_FILLS_A_UNIT));

/** Its cost was charged with it, or will be. */
const again = (body: ReplayBody): RouteAnswer<ReplayBody> => ({
  body,
  free: true,
  isAccepted: body.status === "running",
});

/** Without heartbeats from its process it has failed. */
const statusOf = ({ status, beatAt }: StoredReplay, now: number): StoredReplay["status"] =>
  status === "running" && beatAt <= now - SILENT_AFTER_MS ? "failed" : status;

const SILENT_NOTE = "The process at work on it has stopped. It cost nothing; ask for it again.";

function present({ replayId }: ReplayName, row: StoredReplay, now: number): ReplayBody {
  const status = statusOf(row, now);
  const { note, who, ...answer } = row.answer === null ? { note: row.note } : JSON.parse(row.answer);
  return {
    id: replayId,
    status,
    progressPct: row.progress,
    ...(JSON.parse(row.question) as ReplayQuestion),
    ...(who as Partial<WhoIsCopied>),
    orders: row.orders,
    creditsCharged: row.credits,
    createdAt: iso(row.createdAt),
    answer: status === "done" ? answer : null,
    note: status === "failed" && row.status === "running" ? SILENT_NOTE : note,
  };
}

function tooMany() {
  return fault(
    "invalid_body",
    `The window must be shorter: it holds more than ${FILLS_MAX} fills. This was free.`,
    { param: "window" },
  );
}

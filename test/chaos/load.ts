// The clients, in their own process: lanes that send one request after the other over every metered read, and lanes that
// follow a stream and resume after every break. It prints "loading" once an answer came, and exits when its stdin ends.

import { ErrorBody } from "../../contract/errors.ts";
import { examplePath } from "../../contract/examples.ts";
import { type ServerFrame, ServerFrame as ServerFrameShape } from "../../contract/frames.ts";
import type { AnyRoute } from "../../contract/route.ts";
import { ALL_ROUTES } from "../../contract/routes.ts";
import { type Random, seededRandom } from "../../kit/random.ts";
import { HOUR_MS } from "../../kit/units.ts";
import { batchLane, floodLane, mintLane } from "./abusive-lanes.ts";
import { journalWriter } from "./journal.ts";
import type { LoadWish } from "./load-wish.ts";

const PAUSE_MS = 3;
/** After no answer at all: a caller who does not wait would only fill the journal. */
const PAUSE_AFTER_NOTHING_MS = 100;
const RECONNECT_MS = 150;
const UNKNOWN_HANDLE = "unknown_handle";
/** A captured stand-in is cached this long; its stated age may be off by that much. */
const STAND_IN_MS = 5_000;

const wish = JSON.parse(process.argv[2] ?? "") as LoadWish;
const write = journalWriter(wish.journal);
const ending = new AbortController();
let isLoading = false;

interface Asking {
  route: AnyRoute;
  path: string;
}

/** Every read that costs something, and a few variants with other prices. */
const READS = ALL_ROUTES.filter((route) => route.method === "GET" && route.price.credits > 0);

function nextAsking(random: Random): Asking {
  const route = random.pick(READS);
  const values = {
    ...random.pick(wish.known),
    keyId: "",
    paymentId: "",
    webhookId: "",
    replayId: "",
    followId: "",
  };
  if (route.id === "listTrades" && random.chance(0.5))
    return { route, path: `/v2/users/${values.handle}/trades?deep=${1 + random.below(12)}` };
  if (route.id === "getTrader" && random.chance(0.3)) return { route, path: `/v2/users/${UNKNOWN_HANDLE}` };
  return { route, path: examplePath(route, values) };
}

async function httpLane({ lane, secret }: LoadWish["httpLanes"][number]): Promise<void> {
  const random = seededRandom(wish.seed, lane);
  const etags = new Map<string, string>();
  while (!ending.signal.aborted) {
    const asking = nextAsking(random);
    const condition = random.chance(CONDITIONAL_SHARE) ? conditionFor(random, asking.path, etags) : null;
    const url = `${random.pick(wish.urls)}${asking.path}`;
    const startedAt = Date.now();
    const entry = { type: "request" as const, lane, routeId: asking.route.id, path: asking.path, startedAt };
    try {
      // With a pooled connection the runtime might retry by itself.
      const answer = await fetch(url, {
        keepalive: false,
        headers: {
          authorization: `Bearer ${secret}`,
          ...(condition === null ? {} : { "if-none-match": condition }),
        },
        signal: AbortSignal.timeout(wish.requestTimeoutMs),
      });
      const etag = answer.headers.get("etag");
      if (etag !== null) etags.set(asking.path, etag);
      const cost = Number(answer.headers.get("x-credits-cost") ?? Number.NaN);
      const requestId = answer.headers.get("x-request-id") ?? "";
      // The head is an answer even when the wire breaks in the body.
      const text = await answer.text().catch(() => null);
      const endedAt = Date.now();
      const body = text === null ? null : parsed(text);
      const error = answer.status >= 400 ? String((body as { error?: unknown } | null)?.error ?? "") : null;
      const wrong =
        answer.status === 304
          ? wrongUnchanged(answer, cost, condition)
          : text === null
            ? []
            : wrongWith(asking, answer, body, cost, { startedAt, endedAt });
      if (!isLoading) console.log("loading");
      isLoading = true;
      write({ ...entry, endedAt, answer: { status: answer.status, cost, requestId, error }, wrong });
    } catch {
      write({ ...entry, endedAt: Date.now(), answer: null, wrong: [] });
      await Bun.sleep(PAUSE_AFTER_NOTHING_MS);
    }
    await Bun.sleep(PAUSE_MS);
  }
}

/** This many reads name an answer that they claim to have. */
const CONDITIONAL_SHARE = 0.25;

/** The ETag saved for this path, for another one, or one that never existed: only the first may be free. */
function conditionFor(random: Random, path: string, etags: ReadonlyMap<string, string>): string {
  const others = [...etags].filter(([each]) => each !== path).map(([, etag]) => etag);
  return random.pick([
    "*",
    '"stale"',
    ...others.slice(-2),
    ...(etags.has(path) ? [String(etags.get(path))] : []),
  ]);
}

/** 304 is only for the answer that the caller named, and it is free. */
function wrongUnchanged(answer: Response, cost: number, condition: string | null): string[] {
  return [
    ...(cost === 0 ? [] : [`a 304 cost ${cost}`]),
    ...(condition !== null && condition === answer.headers.get("etag") ? [] : [`a 304 for ${condition}`]),
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wrongWith(
  { route }: Asking,
  answer: Response,
  body: unknown,
  cost: number,
  times: { startedAt: number; endedAt: number },
): string[] {
  if (!Number.isInteger(cost) || !answer.headers.has("x-request-id"))
    return ["the headers are not all there"];
  const text = JSON.stringify(body) ?? "";
  if (/mallory|polluted|__proto__/.test(text)) return [`hostile keys came through: ${text.slice(0, 300)}`];
  if (answer.status >= 400) {
    const isDeclared = ErrorBody.safeParse(body).success;
    const isPaidMiss = answer.status === 404 && cost === route.price.miss;
    return [
      ...(isDeclared ? [] : [`the refusal has no form: ${text.slice(0, 300)}`]),
      ...(cost === 0 || isPaidMiss ? [] : [`a ${answer.status} cost ${cost}`]),
      ...(answer.status === 500 ? ["a 500"] : []),
    ];
  }
  const read = route.answer.safeParse(body);
  if (!read.success) return [`the body is not as declared: ${read.error.message.slice(0, 500)}`];
  const { credits, unit, miss } = route.price;
  const deep = body as { upstreamCalls?: number; partial?: boolean };
  const wrong: string[] = [];
  const isWhole = unit === "call" ? cost === credits : cost > 0 && cost % credits === 0;
  // Unresolved wallets are free, and so is a copy board that is still empty, though some traders may have been replayed.
  const { wallets, replayed, count, complete } = body as MaybeFree;
  const isBegun = replayed !== undefined && count === 0 && complete === false;
  const isFree = cost === 0 && (wallets?.status === "resolving" || isBegun);
  if (!isWhole && !isFree && cost !== miss) wrong.push(`it cost ${cost}, which is no price of ${route.id}`);
  if (deep.upstreamCalls !== undefined && cost !== credits * deep.upstreamCalls && cost !== miss)
    wrong.push(`${deep.upstreamCalls} calls answered and it cost ${cost}`);
  return [...wrong, ...wrongAge(body as Board, times)];
}

/** The notes that say that an answer costs nothing. */
interface MaybeFree {
  wallets?: { status?: string };
  replayed?: number;
  count?: number;
  complete?: boolean;
}

interface Board {
  stale?: boolean;
  ageHours?: number;
  capturedAt?: string;
  tokens?: unknown[];
}

/** A stand-in's stated age must be its real age. */
function wrongAge(board: Board, times: { startedAt: number; endedAt: number }): string[] {
  if (board.ageHours === undefined || board.capturedAt === undefined) return [];
  if (board.tokens?.length === 0) return ["a board is empty"];
  if (!board.stale) return board.ageHours === 0 ? [] : ["a live board has an age"];
  const saidMs = board.ageHours * HOUR_MS;
  const capturedAt = Date.parse(board.capturedAt);
  const isOlder = saidMs > times.endedAt - capturedAt + 1_000;
  const isYounger = saidMs < times.startedAt - capturedAt - STAND_IN_MS - 5_000;
  return isOlder || isYounger ? [`a board of ${board.capturedAt} says it is ${saidMs} ms old`] : [];
}

async function streamLane({ lane, secret, path }: LoadWish["streamLanes"][number]): Promise<void> {
  const random = seededRandom(wish.seed, lane);
  const lastHeard: { place: { epoch: string; seq: number } | null } = { place: null };
  while (!ending.signal.aborted) {
    const base = random.pick(wish.urls).replace("http:", "ws:");
    const from = lastHeard.place;
    const resume = from ? `&resume=${from.epoch}.${from.seq}` : "";
    const socket = new WebSocket(`${base}${path}?key=${secret}${resume}`);
    const give = () => socket.close();
    ending.signal.addEventListener("abort", give, { once: true });
    socket.addEventListener("message", ({ data }) => {
      const at = Date.now();
      const frame: ServerFrame = ServerFrameShape.parse(JSON.parse(String(data)));
      const entry = { type: "frame" as const, lane, at };
      if (frame.type === "welcome") lastHeard.place ??= { epoch: frame.epoch, seq: frame.seq };
      const { place } = lastHeard;
      if (!place) throw new Error(`a ${frame.type} frame came before the welcome`);
      if (frame.type === "welcome") {
        const note = frame.epoch === place.epoch ? "" : "another epoch";
        write({ ...entry, kind: "welcome", seq: frame.seq, note });
      } else if (frame.type === "alert" || frame.type === "trade" || frame.type === "retract") {
        place.seq = Math.max(place.seq, frame.seq);
        write({ ...entry, kind: "event", seq: frame.seq, eventId: frame.eventId ?? "" });
      } else if (frame.type === "heartbeat") {
        // It states the position up to which everything was sent, so a resume may start there.
        place.seq = Math.max(place.seq, frame.seq);
        write({ ...entry, kind: "heartbeat", seq: frame.seq });
      } else if (frame.type === "resumed") {
        place.seq = Math.max(place.seq, frame.to);
        write({ ...entry, kind: "resumed", seq: frame.to, note: frame.complete ? "" : "not complete" });
      } else if (frame.type === "gap") {
        write({ ...entry, kind: "gap", seq: frame.toSeq ?? 0, note: `from ${frame.fromSeq}` });
      }
    });
    // A handshake that is never answered would hold the lane forever.
    const patience = setTimeout(
      () => socket.readyState === WebSocket.CONNECTING && socket.close(),
      wish.requestTimeoutMs,
    );
    const code = await new Promise<number>((resolve) => {
      socket.addEventListener("close", (event) => resolve(event.code));
    });
    clearTimeout(patience);
    ending.signal.removeEventListener("abort", give);
    write({ type: "frame", lane, kind: "close", at: Date.now(), seq: code });
    if (!ending.signal.aborted) await Bun.sleep(RECONNECT_MS);
  }
}

const parts = { wish, write, ending: ending.signal };
const lanes = [
  ...wish.httpLanes.map(httpLane),
  ...wish.streamLanes.map(streamLane),
  ...wish.batchLanes.map((lane) => batchLane(parts, lane)),
  ...wish.mintLanes.map((lane) => mintLane(parts, lane)),
  ...wish.floodLanes.map((lane) => floodLane(parts, lane)),
];
for await (const _ of Bun.stdin.stream()) break;
ending.abort();
await Promise.all(lanes);

// One round of the campaign: deploy, load, run the seed's script, heal, wait for automatic recovery, and check every journal
// against the books. The result is a list of errors.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../../kit/random.ts";
import { eventually } from "../support/eventually.ts";
import { type Clients, prepareClients, REQUEST_TIMEOUT_MS, settled } from "./clients.ts";
import { DEADLINE_MS, type Deployment, deploy } from "./deployment.ts";
import { type FrameEntry, type RequestEntry, readJournal } from "./journal.ts";
import { planFaults, type Shape, type Step, sentenceOf } from "./schedule.ts";
import { checkLog, checkMinted, checkMoney, checkStreams } from "./verify.ts";
import { checkHooks, type HookedAccount, hookUp } from "./webhooks.ts";

export interface RoundWish {
  seed: string;
  shape: Shape;
  /** How long faults are applied. */
  durationMs: number;
  /** Whether slow answers are errors: on an otherwise idle machine. Missing ones always are. */
  isPunctual?: boolean;
  say?: (line: string) => void;
}

export interface RoundOutcome {
  errors: string[];
  counts: { requests: number; statuses: Record<string, number>; events: number };
}

/** A read that only upstream delays ends at its deadline; the rest is for a busy machine. */
const LATE_MS = DEADLINE_MS + 5_000;

export async function runRound({
  seed,
  shape,
  durationMs,
  isPunctual = false,
  say = () => {},
}: RoundWish): Promise<RoundOutcome> {
  const script = planFaults(seed, shape, durationMs);
  for (const [index, track] of script.entries())
    for (const step of track) say(`  track ${index + 1}: ${sentenceOf(step)}`);
  const deployment = await deploy({ shape, seed });
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-journal-"));
  const errors: string[] = [];
  let hooked: HookedAccount | null = null;
  try {
    if (seededRandom(seed, "settled").chance(0.5)) await settled(deployment);
    const clients = await prepareClients(deployment, seed, join(folder, "journal.jsonl"));
    hooked = await hookUp(deployment, seed);
    const load = Bun.spawn(
      [process.execPath, join(import.meta.dir, "load.ts"), JSON.stringify(clients.wish)],
      {
        stdin: "pipe",
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    await load.stdout.getReader().read();
    const done = await perform(deployment, script);
    errors.push(...(await recover(deployment, clients)));
    errors.push(...(await caughtUp(deployment, clients)));
    load.stdin.end();
    const said = await new Response(load.stderr).text();
    if ((await load.exited) !== 0) errors.push(`the clients failed: ${said.slice(0, 2_000)}`);
    errors.push(...(await checkHooks(deployment, hooked)));

    errors.push(...(await pastRead(deployment)));
    const codes = await deployment.stopNodes();
    if (codes.some((code) => code !== 0)) errors.push(`the nodes ended with ${codes}`);
    const { requests, frames, minted } = readJournal(clients.wish.journal);
    errors.push(
      ...checkAnswers(requests, done, isPunctual ? LATE_MS : Number.POSITIVE_INFINITY),
      ...checkProcesses(deployment),
    );
    const recordUrl = await deployment.record();
    const books = await deployment.books();
    try {
      errors.push(
        ...(await checkMoney(books, clients.accounts, requests)),
        ...(await checkMinted(books.access, clients.accounts, minted)),
        ...(await checkLog(books.store, recordUrl)),
        ...(await checkStreams(books.store, clients.streams, frames)),
      );
    } finally {
      await books.close();
    }
    return {
      errors,
      counts: count(requests, frames),
    };
  } finally {
    await hooked?.hooks.stop();
    await deployment.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function count(requests: readonly RequestEntry[], frames: readonly FrameEntry[]): RoundOutcome["counts"] {
  const statuses: Record<string, number> = {};
  for (const { answer } of requests) {
    const name = answer ? String(answer.status) : "unanswered";
    statuses[name] = (statuses[name] ?? 0) + 1;
  }
  return {
    requests: requests.length,
    statuses,
    events: frames.filter((frame) => frame.kind === "event").length,
  };
}

interface DoneStep {
  step: Step;
  from: number;
  to: number;
}

/** Each track's steps one after the other, each undone at its end. */
async function perform(deployment: Deployment, tracks: readonly Step[][]): Promise<DoneStep[]> {
  const done: DoneStep[] = [];
  await Promise.all(
    tracks.map(async (track) => {
      for (const step of track) {
        await Bun.sleep(step.afterMs);
        const from = Date.now();
        const undo = await deployment.perform(step.action);
        await Bun.sleep(step.forMs);
        await undo();
        done.push({ step, from, to: Date.now() });
      }
    }),
  );
  return done;
}

/** Automatic recovery, once the faults are over: every node answers live reads, and boards are live again. */
async function recover(deployment: Deployment, { probe, wish }: Clients): Promise<string[]> {
  await eventually(
    () =>
      deployment.perform({ kind: "misbehave", faults: [] }).then(
        () => true,
        () => false,
      ),
    "the platform behaves",
  );
  const headers = { authorization: `Bearer ${probe}` };
  const ask = (path: string) => async (node: Deployment["nodes"][number]) => {
    const answer = await fetch(`${node.url}${path}`, {
      keepalive: false,
      headers,
      signal: AbortSignal.timeout(10_000),
    });
    return answer.ok ? ((await answer.json()) as { stale?: boolean }) : null;
  };
  const whole = async (node: Deployment["nodes"][number]) => {
    const [balances, board] = await Promise.all([
      ask(`/v2/users/${wish.known[0]?.handle}/balances`)(node),
      ask("/v2/leaderboard/tokens/trending?limit=1")(node),
    ]);
    return balances !== null && board?.stale === false;
  };
  try {
    await deployment.ready();
    await eventually(
      async () =>
        (await Promise.all(deployment.nodes.map((node) => whole(node).catch(() => false)))).every(Boolean),
      "every node answers live reads and boards",
    );
    return [];
  } catch (error) {
    return [`no recovery: ${error instanceof Error ? error.message : error}`];
  }
}

/**
 * The log is checked against everything that the platform sent, including the history, which yields to callers: it is read
 * once they are gone.
 */
async function pastRead(deployment: Deployment): Promise<string[]> {
  const books = await deployment.books();
  try {
    await eventually(async () => (await books.store.log.historyLeft()).length === 0, "the past is read");
    return [];
  } catch (error) {
    return [`history is stuck: ${error instanceof Error ? error.message : error}`];
  } finally {
    await books.close();
  }
}

/** Every stream has received everything that was due when the faults ended: none is stuck. */
async function caughtUp(deployment: Deployment, { streams, wish }: Clients): Promise<string[]> {
  const books = await deployment.books();
  const due = new Map<string, number>();
  try {
    await settled(deployment);
    const now = Date.now();
    for (const { lane, feeds, delayMs } of streams) {
      const upTo = await books.store.log.positionAt(now - delayMs);
      const last = await books.store.log.readAfter(Math.max(0, upTo - DUE_EVENTS), {
        limit: DUE_EVENTS,
        upTo,
        feeds,
      });
      due.set(lane, last.at(-1)?.seq ?? 0);
    }
    const behind = () => {
      const { frames } = readJournal(wish.journal);
      return [...due].filter(
        ([lane, seq]) =>
          !frames.some((frame) => frame.lane === lane && frame.seq >= seq && PLACES.has(frame.kind)),
      );
    };
    await eventually(async () => {
      await Bun.sleep(JOURNAL_EVERY_MS);
      return behind().length === 0;
    }, "every stream has what is due");
    return [];
  } catch (error) {
    const { frames } = readJournal(wish.journal);
    const lanes = [...due].map(([lane, seq]) => {
      const last = frames.filter((frame) => frame.lane === lane).slice(-5);
      return `\n    ${lane}, due ${seq}, last frames ${JSON.stringify(last)}`;
    });
    return [`a stream is stuck: ${error instanceof Error ? error.message : error}${lanes.join("")}`];
  } finally {
    await books.close();
  }
}

/** Frames that state up to where a socket has everything. */
const PLACES: ReadonlySet<FrameEntry["kind"]> = new Set(["event", "heartbeat", "resumed"]);
/** Among this many of the log's last events there is one of each feed. */
const DUE_EVENTS = 500;
/** Reading the whole journal costs something. */
const JOURNAL_EVERY_MS = 250;

/** Faults that delay only live reads. */
function isUpstreams({ action }: Step): boolean {
  if (action.kind === "wire") return action.where === "upstream";
  return action.kind === "misbehave" || ("what" in action && action.what === "platform");
}

function checkAnswers(
  requests: readonly RequestEntry[],
  done: readonly DoneStep[],
  lateMs: number,
): string[] {
  const others = done.filter(({ step }) => !isUpstreams(step));
  const wrong = requests.filter((request) => request.wrong.length > 0);
  const late = requests.filter(({ answer, startedAt, endedAt }) => {
    const isHeldUp = others.some(({ from, to }) => from <= endedAt && to + DEADLINE_MS >= startedAt);
    const tookMs = endedAt - startedAt;
    return answer === null ? tookMs >= REQUEST_TIMEOUT_MS : !isHeldUp && tookMs > lateMs;
  });
  const sentences = (entries: readonly RequestEntry[]) =>
    entries
      .slice(0, 5)
      .map(({ path, answer, wrong: why, startedAt, endedAt }) =>
        JSON.stringify({ path, answer, why, tookMs: endedAt - startedAt }),
      );
  return [
    ...(wrong.length > 0 ? [`${wrong.length} wrong answers: ${sentences(wrong).join("\n    ")}`] : []),
    ...(late.length > 0 ? [`${late.length} late or lost answers: ${sentences(late).join("\n    ")}`] : []),
  ];
}

/** No process exited by itself, and no node logged an internal error. An unavailable store is not one. */
function checkProcesses({ nodes, platform }: Deployment): string[] {
  const all = [...nodes, ...(platform ? [platform] : [])];
  const errors = nodes
    .flatMap((node) => node.output().split("\n"))
    .filter((line) => line.includes('"level":"error"') || /^(error|panic|uncaught)/i.test(line))
    .filter((line) => !line.includes('"name":"StoreUnavailable"'));
  const shown = errors.slice(0, 3).join("\n    ").slice(0, 3_000);
  return [
    ...all.flatMap((one) => one.crashes),
    ...(errors.length > 0 ? [`${errors.length} errors in the nodes' logs: ${shown}`] : []),
  ];
}

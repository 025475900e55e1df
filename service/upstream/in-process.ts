// A platform in this process as an upstream. Its answers are read by the same schemas as a remote one's, so a platform
// that breaks its own protocol is noticed here too, and a slow one is abandoned at the deadline.
import type { Kit } from "../../kit/kit.ts";
import { createSharedTurn } from "../../kit/turn.ts";
import type { Platform } from "../../protocol/platform.ts";
import { type AnswerOutcome, Away, answer } from "../../protocol/server/answer.ts";
import { BadInput } from "../../protocol/server/input.ts";
import type { FeedName } from "../../protocol/shapes/event.ts";
import { type AskParameters, type CallName, type Decoder, decoded } from "./ask.ts";
import { byDeadline } from "./deadline.ts";
import type { Call, Outcome, Upstream } from "./port.ts";
import { upstreamOver } from "./upstream.ts";

export function inProcessUpstream(platform: Platform, { log, clock }: Pick<Kit, "clock" | "log">): Upstream {
  const watchers = new Set<() => void>();
  const closed = new AbortController();
  // The platform answers on this thread, and several may ask at once.
  const shared = createSharedTurn();

  const outcomeOf = <T>(name: CallName, answered: AnswerOutcome, decode: Decoder<T>): Outcome<T> => {
    if (answered.kind === "unknown") return { kind: "notFound" };
    if (answered.kind === "unsupported") return answered;
    const outcome = decoded(answered.value, decode, (error) =>
      log.error("a decoder failed", { call: name, error }),
    );
    if (outcome.kind === "failed") log.error("the platform broke its protocol", { call: name });
    return outcome;
  };
  const failure = (name: CallName, error: unknown): Outcome<never> => {
    if (error instanceof BadInput) return { kind: "failed", reason: "refused" };
    if (!(error instanceof Away)) log.error("the platform could not answer", { call: name, error });
    return { kind: "failed", reason: "status" };
  };
  const ask = async <T>(
    name: CallName,
    parameters: AskParameters,
    call: Call,
    decode: Decoder<T>,
  ): Promise<Outcome<T>> => {
    if (closed.signal.aborted) return { kind: "failed", reason: "closed" };
    if (call.deadlineMs <= 0 || call.signal?.aborted) return { kind: "timedOut" };
    try {
      const turn = shared(() => ({ answered: answer(platform.api, name, asText(parameters)) }));
      const { answered } = turn instanceof Promise ? await turn : turn;
      // A synchronous answer needs no timer.
      if (!(answered instanceof Promise)) return await shared(() => outcomeOf(name, answered, decode));
      return await byDeadline(clock, call, closed.signal, () =>
        answered.then(
          (value) => outcomeOf(name, value, decode),
          (error) => failure(name, error),
        ),
      );
    } catch (error) {
      return failure(name, error);
    }
  };

  return upstreamOver({
    name: "in-process",
    ask,
    onDropped: (name) => log.error("the platform sent a row that breaks its protocol", { call: name }),
    watch: (onMove: (feed: FeedName) => void) => {
      const stop = platform.onMove(onMove);
      watchers.add(stop);
      return () => {
        if (watchers.delete(stop)) stop();
      };
    },
    close: async () => {
      closed.abort();
      for (const stop of watchers) stop();
      watchers.clear();
    },
  });
}

/** As text, like in a path and a query, so that both adapters have the same bounds. */
function asText(parameters: AskParameters): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(parameters))
    if (value !== null && value !== undefined)
      texts[name] = Array.isArray(value) ? value.join(",") : String(value);
  return texts;
}

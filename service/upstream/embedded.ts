// The platform in this process as an upstream. Its answers go through the same decoders as a remote one's, so a world
// that breaks its own protocol is noticed here too. Answers are computed at once; a deadline can only have passed already.

import type { Log } from "../../kit/log.ts";
import type { FeedName, Platform } from "../../protocol/protocol.ts";
import { BadInput } from "../../simulator/server/input.ts";
import { answer } from "../../simulator/server/routes.ts";
import type { Feed } from "../model/event.ts";
import { type CallName, decoded, PATHS, type Parameters } from "./ask.ts";
import type { Decoder } from "./decode/read.ts";
import type { Call, Outcome, Upstream } from "./port.ts";
import { upstreamOver } from "./upstream.ts";

interface EmbeddedOptions {
  log: Log;
}

export function embeddedUpstream(platform: Platform, { log }: EmbeddedOptions): Upstream {
  const watchers = new Set<() => void>();
  let closed = false;

  const ask = <T>(name: CallName, parameters: Parameters, call: Call, decode: Decoder<T>): Outcome<T> => {
    if (closed) return { kind: "failed", reason: "closed" };
    if (call.deadlineMs <= 0 || call.signal?.aborted) return { kind: "timedOut" };
    try {
      const value = answer(platform.api, PATHS[name], asText(parameters));
      if (value === undefined) return { kind: "notFound" };
      const outcome = decoded(value, decode, (error) => log.error("a decoder failed", { call: name, error }));
      if (outcome.kind === "failed") log.error("the embedded platform broke its protocol", { call: name });
      return outcome;
    } catch (error) {
      if (error instanceof BadInput) return { kind: "failed", reason: "refused" };
      log.error("the embedded platform could not answer", { call: name, error });
      return { kind: "failed", reason: "status" };
    }
  };

  return upstreamOver({
    name: "embedded",
    ask: async (name, parameters, call, decode) => ask(name, parameters, call, decode),
    onDropped: (name) => log.error("the embedded platform sent a row out of form", { call: name }),
    watch: (onMove: (feed: Feed) => void) => {
      const stop = platform.onMove((feed: FeedName) => onMove(feed));
      watchers.add(stop);
      return () => {
        if (watchers.delete(stop)) stop();
      };
    },
    close: async () => {
      closed = true;
      for (const stop of watchers) stop();
      watchers.clear();
    },
  });
}

/** As a path and a query would carry them, so that both adapters are held to the same bounds. */
function asText(parameters: Parameters): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(parameters))
    if (value !== null && value !== undefined) texts[name] = String(value);
  return texts;
}

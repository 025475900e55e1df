// A stream's options mix its filter and its behaviour; only the filter goes into the URL.
import type { Filter } from "./socket.ts";
import type { StreamOptions } from "./stream.ts";

const BEHAVIOUR = new Set([
  "resume",
  "store",
  "onPosition",
  "saveEveryMs",
  "buffer",
  "onStatus",
  "onFrame",
  "signal",
  "since",
  "fill",
  "fillMax",
]);

export function splitOptions<O extends StreamOptions>(options: O): { filter: Filter; stream: O } {
  const filter = Object.fromEntries(Object.entries(options).filter(([name]) => !BEHAVIOUR.has(name)));
  return { filter, stream: options };
}

// Sends an answer the way its faults say: late, never, truncated, as something else, or not at all. Holds no more than one
// chunk of a huge body at a time, so a test with many readers does not cost the server its memory.
import type { Clock } from "../../kit/clock.ts";
import type { Firing } from "./faults.ts";
import { silenced, spoil, toText } from "./spoil.ts";

const HUGE_BODY_BYTES = 50 * 1024 * 1024;
const HUGE_CHUNK_BYTES = 256 * 1024;
const JSON_HEADERS = { "content-type": "application/json" };

interface Misbehaviour {
  /** The correct answer, computed only when some of it is sent. */
  answer: () => Promise<{ status: number; value: unknown }>;
  /** The position of a feed's reader; 0 elsewhere. */
  after: number;
  clock: Clock;
  signal: AbortSignal;
}

export async function misbehave(faults: readonly Firing[], request: Misbehaviour): Promise<Response> {
  const met = (kind: Firing["kind"]) => faults.find((fault) => fault.kind === kind);
  const latency = met("latency");
  if (latency) await request.clock.sleep(latency.latencyMs, request.signal);
  if (met("stall")) return await new Promise<Response>(() => {});
  if (met("reset")) return reset();
  const status = met("status");
  if (status) return Response.json({ error: "told_to_fail" }, { status: status.status });
  if (met("html")) return html();
  if (met("huge")) return huge();

  const right = await request.answer();
  let value = right.value;
  if (met("silence")) value = silenced(value, request.after);
  for (const fault of faults) value = spoil(value, fault);
  const text = toText(value);
  if (met("stallBody")) return partial(text, "stall");
  if (met("truncate")) return partial(text, "cut");
  const body = met("malformed") ? `${text.slice(0, -1)},]` : text;
  return new Response(body, { status: right.status, headers: JSON_HEADERS });
}

/** Erroring a body's stream makes Bun drop the connection; with null, because Bun reports real errors. */
function reset(): Response {
  return new Response(new ReadableStream({ start: (controller) => controller.error(null) }), {
    headers: JSON_HEADERS,
  });
}

function partial(text: string, then: "stall" | "cut"): Response {
  const bytes = new TextEncoder().encode(text);
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      if (!sent) {
        sent = true;
        controller.enqueue(bytes.subarray(0, Math.ceil(bytes.length / 2)));
        return;
      }
      if (then === "stall") await new Promise(() => {});
      controller.error(null);
    },
  });
  return new Response(body, { headers: JSON_HEADERS });
}

function html(): Response {
  return new Response("<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>", {
    headers: { "content-type": "text/html; charset=utf-8" },
  });
}

function huge(): Response {
  const chunk = new Uint8Array(HUGE_CHUNK_BYTES).fill(0x20);
  let sentBytes = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sentBytes >= HUGE_BODY_BYTES) {
        controller.enqueue(new TextEncoder().encode("{}"));
        controller.close();
        return;
      }
      sentBytes += chunk.length;
      controller.enqueue(chunk);
    },
  });
  return new Response(body, { headers: JSON_HEADERS });
}

// Requests that once blocked everybody or used more than their share, sent again: each caller gets an answer or a refusal,
// work for a caller who has gone ends, and the program continues.
import { ask } from "../fuzz/asking.ts";
import type { Subject } from "../fuzz/subject.ts";
import { eventually } from "../support/eventually.ts";
import { noting, type Outcome, type Trial } from "./trial.ts";

const HANDLES = 190;
const names = (count: number) => Array.from({ length: count }, (_, index) => `nobody_${index}`);

/** Many unknown names, by callers who do not wait for the answer. */
const manyNames: Trial = {
  name: "alerts of 190 names at once, keyless, callers gone after 50 ms",
  holds: "the next call is answered; nothing continues for those who left",
  async run({ subject, factor }): Promise<Outcome> {
    const errors: string[] = [];
    const path = `/v2/alerts?limit=100&minUsd=900000000&trader=${names(HANDLES).join(",")}`;
    const tried = 10 * factor;
    for (let round = 0; round < factor; round++)
      await Promise.allSettled(
        Array.from({ length: 10 }, () => fetch(subject.url + path, { signal: AbortSignal.timeout(50) })),
      );
    const answer = await fetch(subject.url + path);
    noting(errors)([400, 404, 429].includes(answer.status), `it answered ${answer.status}`);
    await nothingInFlight(subject, errors);
    return { tried, errors };
  },
};

/** Work for callers who left is cancelled. */
async function nothingInFlight(subject: Subject, errors: string[]): Promise<void> {
  await eventually(async () => {
    const metrics = await (await fetch(`${subject.metricsUrl}/metrics`)).text();
    return Number(/^crowdtape_http_in_flight (\d+)/m.exec(metrics)?.[1] ?? 0) === 0;
  }, "no call is in flight").catch((error) => errors.push(String(error)));
}

const wideSubscriptions: Trial = {
  name: "subscribe frames of 400 names, 30 on each of two keyless sockets",
  holds: "every frame is answered or the socket is closed with a code; calls continue",
  async run({ subject, key, factor }): Promise<Outcome> {
    const errors: string[] = [];
    const frames = 30;
    for (let round = 0; round < factor; round++) {
      const sockets = [0, 1].map(() => subscribing(subject, frames));
      const { status } = await ask(subject, key, "/v2/me");
      noting(errors)(status === 200, `a call next to them was answered with ${status}`);
      for (const one of await Promise.all(sockets))
        noting(errors)(one.answered === frames || one.code >= 1000, `${one.answered} of ${frames} answered`);
    }
    return { tried: 2 * frames * factor, errors };
  },
};

function subscribing(subject: Subject, frames: number): Promise<{ answered: number; code: number }> {
  const socket = new WebSocket(`${subject.url.replace("http", "ws")}/ws/alerts`);
  let answered = 0;
  return new Promise((resolve) => {
    socket.onopen = () => {
      for (let sent = 0; sent < frames; sent++)
        socket.send(JSON.stringify({ action: "subscribe", traders: names(400) }));
    };
    socket.onmessage = ({ data }) => {
      if (JSON.parse(String(data)).type === "subscribed") answered++;
      if (answered === frames) socket.close();
    };
    socket.onclose = ({ code }) => resolve({ answered, code });
  });
}

const mcpArrays: Trial = {
  name: "MCP: arrays of 100 calls of unknown tools with a Free key",
  holds: "each message counts against the key's 60 a minute, over two minutes at most",
  async run({ subject, factor }): Promise<Outcome> {
    const errors: string[] = [];
    const { key } = await subject.makeKey("free", false);
    const message = (id: number) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "nothing" },
    });
    let answered = 0;
    for (let sent = 0; sent < 10 * factor; sent++) {
      const response = await fetch(`${subject.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify(Array.from({ length: 100 }, (_, id) => message(id))),
      });
      noting(errors)(response.status < 500, `an array was answered with ${response.status}`);
      const text = await response.text();
      if (response.ok) answered += text.split('"jsonrpc"').length - 1;
    }
    noting(errors)(answered <= 120, `${answered} messages of a Free key were answered`);
    return { tried: 1_000 * factor, errors };
  },
};

const pages: Trial = {
  name: "explorer pages as fast as they come, from one address",
  holds: "paced: 429 beyond the limit, never a failure of the server",
  async run({ subject, factor }): Promise<Outcome> {
    const errors: string[] = [];
    const statuses = new Map<number, number>();
    const paths = ["/", "/leaderboard/7d", "/tape", "/traders/nobody", "/tokens/0x0", "/no/such/page"];
    const tried = 200 * factor;
    for (let sent = 0; sent < tried; sent++) {
      const { status } = await fetch(subject.url + paths[sent % paths.length], {
        headers: { accept: "text/html" },
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    noting(errors)(
      [...statuses.keys()].every((status) => status < 500),
      JSON.stringify([...statuses]),
    );
    noting(errors)((statuses.get(429) ?? 0) > 0, "none was refused");
    return { tried, errors };
  },
};

export const TRIGGERS: readonly Trial[] = [manyNames, wideSubscriptions, mcpArrays];
/** Rendered one by one, so it takes a while. */
export const PAGES: readonly Trial[] = [pages];

// A server under test, in its own process so that its CPU and memory can be measured. It reads one line of JSON per command on
// stdin and answers with one on stdout; a peer is any program that does the same.
import { createInterface } from "node:readline";
import type { FeedEvent } from "../protocol/shapes/event.ts";
import { eventMaker } from "../service/streams/test-events.ts";
import { keyOf, startNode } from "../service/streams/test-support.ts";

/** The commands that a benchmark can send to a subject. */
export type StreamCommand =
  /** This many events to every socket; the last one's text carries the mark. */
  | { do: "publish"; events: number; mark: string }
  /** One event that only sockets with this trader's filter get. */
  | { do: "trade"; trader: string; mark: string; events: number }
  | { do: "usage" };

export interface Ready {
  port: number;
  /** Path and query of the socket, with `{trader}` in place of a filter. */
  path: string;
}

export interface SubjectUsage {
  cpuMicros: number;
  rssBytes: number;
}

const make = eventMaker("bench");
const TEXT = "Volume is back, the deployer is out and the chart has room above. ".repeat(3);

if (import.meta.main) {
  const subjects: Record<string, () => Promise<StreamSubject>> = {
    crowdtape,
    "bun-publish": bunPublish,
  };
  const subject = await subjects[process.argv[2] ?? ""]?.();
  if (!subject) throw new Error(`usage: stream-subject.ts ${Object.keys(subjects).join("|")}`);
  say(subject.ready);
  for await (const line of createInterface({ input: process.stdin })) {
    const command: StreamCommand = JSON.parse(line);
    if (command.do !== "usage") await subject.publish(command);
    else Bun.gc(true);
    const { user, system } = process.cpuUsage();
    say({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() } satisfies SubjectUsage);
  }
  process.exit(0);
}

function say(message: Ready | SubjectUsage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

interface StreamSubject {
  ready: Ready;
  publish(command: Exclude<StreamCommand, { do: "usage" }>): Promise<void>;
}

function eventsOf(command: Exclude<StreamCommand, { do: "usage" }>): FeedEvent[] {
  return Array.from({ length: command.events }, (_, index) =>
    make.app({
      kind: "buy",
      fillUsd: 1e6,
      text: `${TEXT}${index === command.events - 1 ? command.mark : ""}`,
      ...(command.do === "trade" ? { handle: command.trader } : {}),
    }),
  );
}

async function crowdtape(): Promise<StreamSubject> {
  const node = await startNode({ manySockets: true });
  const { secret } = await keyOf(node, "scale");
  return {
    ready: { port: node.port, path: `/ws/alerts?key=${secret}` },
    publish: async (command) => void (await node.append(eventsOf(command))),
  };
}

/** The minimum possible: the same bytes, no log, no filters, no replay. */
async function bunPublish(): Promise<StreamSubject> {
  const server = Bun.serve({
    port: 0,
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: { open: (socket) => void socket.subscribe("all"), message: () => {} },
  });
  return {
    ready: { port: Number(server.port), path: "/" },
    publish: async (command) => {
      for (const event of eventsOf(command))
        server.publish("all", JSON.stringify({ type: "alert", ...event }));
    },
  };
}

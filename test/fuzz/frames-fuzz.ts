// The WebSocket half of the fuzz: each parameter of each upgrade, and each field of each frame that a client may send. An
// upgrade is refused in the one error shape; a frame is answered as documented, or the socket is closed with a documented
// code.
import fc from "fast-check";
import type { Channel, Documents } from "./documents.ts";
import { HOSTILE_JSON } from "./hostile.ts";
import type { Schema } from "./schema.ts";
import { jsonValue, type Seen, wireValue } from "./values.ts";
import { type Heard, openSocket, type RawSocket } from "./ws.ts";

export interface FramesFuzzWish {
  port: number;
  documents: Documents;
  key: string;
  seed: number;
  valuesPerTarget: number;
  seen: Seen;
}

export interface FramesFuzzResult {
  upgrades: number;
  frames: number;
  targets: number;
  outcomes: Record<string, number>;
  failures: string[];
}

const CONNECTIONS = 6;
/** Below one socket's limit for a burst. */
const FRAMES_PER_SOCKET = 20;
/** 1007: a text that is not UTF-8. The rest are in the document. */
const CLOSE_CODES = [4004, 1009, 1007, 4029];
const REFUSALS = [400, 401, 403, 429, 503];

interface Job {
  name: string;
  run(): Promise<void>;
}

export async function fuzzFrames(wish: FramesFuzzWish): Promise<FramesFuzzResult> {
  const { documents, seen } = wish;
  const outcomes = new Map<string, number>();
  const failures: string[] = [];
  const count = (outcome: string) => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const fail = (about: string, error: string, given: string) => {
    const shown = JSON.stringify(given.slice(0, 400)).replaceAll(wish.key, "<key>");
    if (failures.length < 40) failures.push(`${about}: ${error}\n    ${shown}`);
  };
  let upgrades = 0;
  let frames = 0;
  let targets = 0;
  const sample = <T>(arbitrary: fc.Arbitrary<T>) => {
    targets++;
    return fc.sample(arbitrary, { seed: wish.seed + targets * 7_919, numRuns: wish.valuesPerTarget });
  };

  const open = async (channel: Channel, query: string, about: string): Promise<RawSocket | null> => {
    upgrades++;
    const target = `${channel.path}?${query}`;
    const opened = await openSocket({ port: wish.port, target });
    if (opened === null) {
      if (/^[\x21-\x7e]*$/.test(target)) fail(about, "cut without an answer", target);
      return null;
    }
    if ("next" in opened) {
      const first = await opened.next();
      const error =
        first.kind === "frame" && first.frame.type === "welcome" ? judgeFrame(channel, first) : "no welcome";
      if (error) fail(about, error, target);
      count("101");
      return opened;
    }
    count(String(opened.status));
    if (opened.status === 400 && opened.body.length === 0 && !/^[\x21-\x7e]*$/.test(target)) return null;
    const body: unknown = JSON.parse(opened.body.toString() || "null");
    const errors = documents.checkAnswer(documents.errorSchema, body);
    if (!REFUSALS.includes(opened.status)) errors.push(`the status ${opened.status}`);
    if (opened.body.includes(wish.key)) errors.push("shows the key");
    for (const error of errors) fail(about, error, target);
    return null;
  };

  const judgeFrame = (channel: Channel, heard: Heard): string | null => {
    if (heard.kind === "closed") {
      count(`close ${heard.code}`);
      return CLOSE_CODES.includes(heard.code ?? 0) ? null : `closed with ${heard.code} ${heard.reason}`;
    }
    if (heard.kind === "pong") return "a pong that was not asked for";
    const schema = channel.sends[String(heard.frame.type)];
    count(String(heard.frame.type));
    return schema ? (documents.checkFrame(schema, heard.frame)[0] ?? null) : "a frame of no declared type";
  };

  const talk = async (channel: Channel, about: string, texts: string[]) => {
    let socket: RawSocket | null = null;
    let left = 0;
    for (const text of texts) {
      if (!socket || left === 0) {
        socket?.destroy();
        socket = await open(channel, `key=${wish.key}`, about);
        left = FRAMES_PER_SOCKET;
        if (!socket) return fail(about, "no socket to talk on", "");
      }
      frames++;
      left--;
      socket.sendText(text);
      const heard = await socket.nextAnswer();
      const error = judgeFrame(channel, heard);
      if (error) fail(about, error, text);
      if (heard.kind === "closed") socket = null;
    }
    socket?.destroy();
  };

  const jobs: Job[] = [];
  for (const channel of documents.channels) {
    for (const [name, schema] of Object.entries(channel.query)) {
      const about = `${channel.path} ?${name}`;
      for (const value of sample(wireValue(name, schema, seen))) {
        const key = name === "key" || name === "ticket" ? "" : `key=${wish.key}&`;
        const run = async () => (await open(channel, `${key}${name}=${value}`, about))?.destroy();
        jobs.push({ name: about, run });
      }
    }
    for (const [message, reference] of Object.entries(channel.takes)) {
      for (const [field, texts] of fieldsOf(documents, message, reference, seen, sample)) {
        const about = `${channel.path} ${message}.${field}`;
        for (let at = 0; at < texts.length; at += FRAMES_PER_SOCKET) {
          const some = texts.slice(at, at + FRAMES_PER_SOCKET);
          jobs.push({ name: about, run: () => talk(channel, about, some) });
        }
      }
    }
    const about = `${channel.path} whole frames`;
    jobs.push({ name: about, run: () => talk(channel, about, sample(fc.constantFrom(...HOSTILE_JSON))) });
  }
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let job = jobs.shift(); job; job = jobs.shift()) await job.run();
    }),
  );
  return { upgrades, frames, targets, failures, outcomes: Object.fromEntries([...outcomes].sort()) };
}

/** For each field of a message, frames that are valid except for that field. */
function fieldsOf(
  documents: Documents,
  message: string,
  reference: Schema,
  seen: Seen,
  sample: <T>(arbitrary: fc.Arbitrary<T>) => T[],
): [string, string[]][] {
  const schema = documents.frameSchema(reference);
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const action = { action: message };
  const asText = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("latin1");
  return [...properties, ["stranger", {}] as [string, Schema]].map(([field, inner]) => [
    field,
    sample(jsonValue(field.replace(/s$/, ""), inner, seen)).map((value) =>
      asText({ ...action, [field]: value }),
    ),
  ]);
}

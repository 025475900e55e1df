// What clients may send, and how often. A frame outside the contract closes the socket with a message
// that says why; so does sending faster than any client needs.
import type { Chains } from "../../contract/chains.ts";
import { Fault } from "../../contract/errors.ts";
import { CLIENT_FRAMES, type ClientFrame } from "../../contract/frames.ts";
import type { Kit } from "../../kit/kit.ts";
import type { Log } from "../../kit/log.ts";
import { describeFilter, filterFromFrame, type WrittenFilter } from "../feed/filter-input.ts";
import { type NameDirectory, resolveFilter, unknownNote } from "../feed/resolve-filter.ts";
import { changeFilter, close, type Session, send } from "./session.ts";

/** A client that sets up many filters at once sends this many frames in a burst … */
const FRAMES_MAX = 30;
/** … and continues at this pace: a person clicking, a ping every few seconds. */
const FRAMES_A_SECOND = 5;

/** Counts one frame. False when it is one too many, and the socket was closed for it. */
export function mayTalk(session: Session, now: number): boolean {
  const earned = ((now - session.allowanceAt) / 1000) * FRAMES_A_SECOND;
  session.allowance = Math.min(FRAMES_MAX, session.allowance + earned);
  session.allowanceAt = now;
  if (session.allowance >= 1) {
    session.allowance--;
    return true;
  }
  close(session, 4029);
  return false;
}

export interface ClientFrameParts extends Pick<Kit, "clock" | "log"> {
  chains: Chains;
  directory: NameDirectory;
}

/** Frames are answered in order of arrival; one that names a trader or token waits until the name is looked up. */
export function answer(session: Session, message: string | Buffer, parts: ClientFrameParts): void {
  if (!mayTalk(session, parts.clock.now())) return;
  const before = session.answering;
  const work = before ? before.then(() => act(session, message, parts)) : act(session, message, parts);
  if (!work) return;
  const guarded = work.catch((error) => end(session, error, parts.log));
  session.answering = guarded.finally(() => {
    if (session.answering === tracked) session.answering = null;
  });
  const tracked = session.answering;
}

function act(session: Session, message: string | Buffer, parts: ClientFrameParts): Promise<void> | undefined {
  // Frames that wait behind another one end with their socket.
  if (session.state === "closed") return undefined;
  try {
    return reply(session, readFrame(message), parts);
  } catch (error) {
    end(session, error, parts.log);
    return undefined;
  }
}

function end(session: Session, error: unknown, log: Log): void {
  if (error instanceof Fault) {
    close(session, 4004, error.message);
    return;
  }
  log.warn("a client's frame could not be answered", { error });
  close(session, 1001, "The directory could not be read; connect again and resume.");
}

function reply(session: Session, frame: ClientFrame, parts: ClientFrameParts): Promise<void> | undefined {
  const { stream } = session.terms;
  switch (frame.action) {
    case "subscribe":
      return subscribe(session, filterFromFrame(stream, frame, parts.chains), parts);
    case "unsubscribe":
      changeFilter(session, null);
      send(session, { type: "unsubscribed" });
      return undefined;
    case "ping":
      send(session, { type: "pong", ts: parts.clock.now() });
      return undefined;
  }
}

async function subscribe(
  session: Session,
  written: WrittenFilter,
  { chains, directory }: ClientFrameParts,
): Promise<void> {
  const { filter, unknown } = await resolveFilter(written, directory);
  if (session.state === "closed") return;
  const described = describeFilter(session.terms.stream, written, chains);
  session.described = described;
  send(session, { type: "subscribed", filter: described, note: unknownNote(unknown) });
  changeFilter(session, filter);
}

const bad = (sentence: string) => new Fault("invalid_body", sentence);

function readFrame(message: string | Buffer): ClientFrame {
  if (typeof message !== "string") throw bad("Frames are JSON texts, not binary.");
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch {
    throw bad("The frame is not JSON.");
  }
  const action = typeof value === "object" && value !== null && "action" in value ? value.action : undefined;
  const names = Object.keys(CLIENT_FRAMES);
  if (typeof action !== "string" || !Object.hasOwn(CLIENT_FRAMES, action)) {
    throw bad(`A frame is an object whose action is ${names.join(", ")}.`);
  }
  const schema = CLIENT_FRAMES[action as keyof typeof CLIENT_FRAMES];
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue?.code === "unrecognized_keys" ? "a field" : String(issue?.path[0] ?? "a field");
  throw bad(`${action}: ${field} is not one that this frame takes, or has a wrong value.`);
}

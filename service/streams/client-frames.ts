// What clients may send, and how often. A frame that is not one of the contract's closes the socket with a sentence
// that says why; so does sending faster than any client needs to.
import type { Chains } from "../../contract/chains.ts";
import { Fault } from "../../contract/errors.ts";
import { CLIENT_FRAMES, type ClientFrame } from "../../contract/frames.ts";
import { describeFilter, filterFromFrame } from "../feed/filter-input.ts";
import { changeFilter, close, type Session, send } from "./session.ts";

/** A client that sets up many filters at once sends this many frames in one go … */
const FRAMES_AT_ONCE = 30;
/** … and goes on at this pace: a person clicking, a ping every few seconds. */
const FRAMES_A_SECOND = 5;

/** Counts one frame. False when it is one too many, and the socket was closed for it. */
export function mayTalk(session: Session, now: number): boolean {
  const earned = ((now - session.allowanceAt) / 1000) * FRAMES_A_SECOND;
  session.allowance = Math.min(FRAMES_AT_ONCE, session.allowance + earned);
  session.allowanceAt = now;
  if (session.allowance >= 1) {
    session.allowance--;
    return true;
  }
  close(session, 4029);
  return false;
}

export function answer(session: Session, message: string | Buffer, chains: Chains, now: number): void {
  if (!mayTalk(session, now)) return;
  try {
    act(session, readFrame(message), chains, now);
  } catch (problem) {
    if (!(problem instanceof Fault)) throw problem;
    close(session, 4004, problem.message);
  }
}

function act(session: Session, frame: ClientFrame, chains: Chains, now: number): void {
  const { stream } = session.admission;
  switch (frame.action) {
    case "subscribe": {
      const filter = filterFromFrame(stream, frame, chains);
      send(session, { type: "subscribed", filter: describeFilter(stream, filter, chains) });
      changeFilter(session, filter);
      return;
    }
    case "unsubscribe":
      changeFilter(session, null);
      send(session, { type: "unsubscribed" });
      return;
    case "ping":
      send(session, { type: "pong", ts: now });
  }
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

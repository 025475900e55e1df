// Reads the log for all chats over one stream, which is free, and passes each alert to the chats that want it. Its position is
// kept as the position up to which every chat has all of its alerts, so a restart misses none; a chat that is further skips
// what it has.
import type { Crowdtape } from "../../client/src/client.ts";
import type { AlertFrame } from "../../client/src/generated.ts";
import type { StreamPosition } from "../../client/src/stream/position.ts";
import type { Kit } from "../../kit/kit.ts";
import { type FollowIndex, subjectsOf } from "./follow.ts";
import { say } from "./message.ts";
import type { BotPost } from "./post.ts";
import type { BotState } from "./state.ts";

export interface LogReaderParts extends Pick<Kit, "clock" | "log"> {
  client: Pick<Crowdtape, "alerts">;
  state: BotState;
  index: FollowIndex;
  post: BotPost;
}

export interface LogReader {
  /** The position read so far; null before the service's first message. */
  position(): StreamPosition | null;
  /** Runs until the signal aborts, or the service refuses the key. */
  read(signal: AbortSignal): Promise<void>;
}

const LOST = say(
  "⚠️ Some alerts before this one were lost: the service's log no longer reaches back to them.",
);

export function createReader({ client, state, index, post, clock, log }: LogReaderParts): LogReader {
  let epoch = "";
  let position: StreamPosition | null = null;
  /** Of the newest connection; items being read may still be older. */
  let welcomed = "";

  const offer = (alert: AlertFrame) => {
    const subjects = subjectsOf(alert);
    const now = clock.now();
    for (const id of index.find(alert)) {
      const chat = state.chat(id);
      if (!chat || subjects.some((subject) => (chat.mutes[subject] ?? 0) > now)) continue;
      if (chat.sent?.epoch === epoch && chat.sent.seq >= alert.seq) continue;
      post.alert(id, alert, { epoch, seq: alert.seq });
    }
  };

  const notePosition = async (at: StreamPosition) => {
    position = at;
    const from = post.waitingFrom(at.epoch);
    if (from === "another") return;
    const seq = from === null ? at.seq : Math.min(at.seq, from - 1);
    await state.savePlace("log", JSON.stringify({ epoch: at.epoch, seq }));
  };

  return {
    position: () => position,
    async read(signal) {
      const saved = state.place("log");
      // After a failure in this process the waiting alerts are still in memory; only a restart has to read them again.
      const resume = position ?? (saved === null ? null : (JSON.parse(saved) as StreamPosition));
      epoch = resume?.epoch ?? "";
      const stream = client.alerts({
        ...(resume ? { resume } : {}),
        onPosition: notePosition,
        onStatus({ state: status, welcome, reason, delayMs }) {
          if (status === "live") welcomed = String(welcome?.epoch);
          if (status === "waiting") log.warn("the stream was disconnected", { reason, delayMs });
        },
        signal,
      });
      for await (const item of stream) {
        if (item.type === "gap") {
          log.warn("alerts were lost", { reason: item.reason, fromSeq: item.fromSeq, toSeq: item.toSeq });
          if (item.reason === "epoch") epoch = welcomed;
          for (const { id, follows } of state.chats()) if (follows.length > 0) post.reply(id, LOST);
          continue;
        }
        if (epoch === "") epoch = welcomed;
        if (item.type === "retract") await post.retract(item, { epoch, seq: item.seq });
        else offer(item);
      }
    },
  };
}

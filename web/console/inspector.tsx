/** @jsxImportSource preact */
// A live stream: every frame, its position in the log, its delay, and the effect of a dropped connection.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Frame } from "../../client/src/stream/socket.ts";
import { FeedChip } from "../explorer/tape-rows.tsx";
import { Card, Code, Moment, Scroll, Stats } from "../shared/bits.tsx";
import { now } from "../shared/clock.ts";
import { type Feed, type FeedView, openFeed } from "../shared/feed.ts";
import { span } from "../shared/format.ts";
import { usePage } from "../shared/query.tsx";
import { Empty } from "../shared/states.tsx";
import { me } from "./state.ts";

/** Frames that are kept for inspection. */
const FRAMES_MAX = 200;
const DRAW_EVERY_MS = 150;

interface SeenFrame {
  at: number;
  frame: Frame;
  size: number;
}

export function Inspector() {
  const page = usePage();
  const [stream, setStream] = useState<"alerts" | "trades">("alerts");
  const [query, setQuery] = useState("");
  const [open, setOpen] = useState<{ stream: "alerts" | "trades"; query: string } | null>(null);
  const [status, setStatus] = useState<FeedView | null>(null);
  const [frames, setFrames] = useState<SeenFrame[]>([]);
  const [counts, setCounts] = useState({ frames: 0, bytes: 0, replayed: 0 });
  const [chosen, setChosen] = useState<SeenFrame | null>(null);
  const feed = useRef<Feed | null>(null);
  useEffect(() => {
    if (open === null) return;
    const kept: SeenFrame[] = [];
    const sums = { frames: 0, bytes: 0, replayed: 0 };
    let timer: ReturnType<typeof setTimeout> | null = null;
    const draw = () => {
      timer = null;
      setFrames([...kept]);
      setCounts({ ...sums });
    };
    feed.current = openFeed({
      stream: open.stream,
      filter: Object.fromEntries(new URLSearchParams(open.query)),
      mode: page.mode,
      onView: setStatus,
      onFrame: (frame) => {
        const size = JSON.stringify(frame).length;
        kept.unshift({ at: now(), frame, size });
        kept.length = Math.min(kept.length, FRAMES_MAX);
        sums.frames += 1;
        sums.bytes += size;
        if (frame.replay === true) sums.replayed += 1;
        timer ??= setTimeout(draw, DRAW_EVERY_MS);
      },
    });
    return () => {
      if (timer !== null) clearTimeout(timer);
      feed.current?.stop();
      feed.current = null;
    };
  }, [open]);
  const canTrades = me.value?.streams.onChain.included ?? false;
  return (
    <div class="console-grid">
      <Card
        title="Stream"
        class="wide-card"
        aside={open ? <FeedChip status={status} quietSince={frames[0]?.at ?? null} /> : <NotConnected />}
      >
        <form
          class="filters pad"
          onSubmit={(event) => {
            event.preventDefault();
            setOpen({ stream, query });
          }}
        >
          <label>
            <span>Stream</span>
            <select
              value={stream}
              onChange={(event) => setStream(event.currentTarget.value as "alerts" | "trades")}
            >
              <option value="alerts">/ws/alerts</option>
              <option value="trades" disabled={!canTrades}>
                /ws/trades{canTrades ? "" : " (Growth or Scale)"}
              </option>
            </select>
          </label>
          <label class="grow">
            <span>Filters</span>
            <input
              name="filters"
              value={query}
              placeholder="type=buy&chain=solana&minUsd=500"
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => setQuery(event.currentTarget.value)}
            />
          </label>
          <button type="submit">{open ? "Reconnect" : "Connect"}</button>
          <button type="button" class="plain" disabled={open === null} onClick={() => feed.current?.drop()}>
            Drop the connection
          </button>
          <button type="button" class="plain" disabled={open === null} onClick={() => setOpen(null)}>
            Stop
          </button>
        </form>
        <Stats
          of={{
            Frames: counts.frames,
            Replayed: counts.replayed,
            Bytes: counts.bytes.toLocaleString("en-US"),
            Seq: status?.seq ?? "–",
            Lag: status?.lagMs == null ? "–" : `${Math.round(status.lagMs)} ms`,
            Reconnects: status?.reconnects ?? 0,
          }}
        />
        {status?.epoch ? (
          <p class="note soft">
            Resume from here:{" "}
            <code>
              resume={status.epoch}.{status.seq}
            </code>
          </p>
        ) : null}
      </Card>
      <Card title="Frames, newest first">
        {frames.length === 0 ? (
          <Empty>{open ? "Connected. The first frame is welcome." : "Connect to see frames."}</Empty>
        ) : (
          <Scroll class="frames" label="Frames">
            {frames.map((seen) => (
              <button
                key={`${seen.at}${String(seen.frame.seq ?? "")}${seen.frame.type}`}
                type="button"
                class={`frame ${seen === chosen ? "on" : ""}`}
                onClick={() => setChosen(seen)}
              >
                <Moment at={seen.at} as="time" />
                <span
                  class={`chip ${seen.frame.replay ? "amber" : seen.frame.type === "heartbeat" ? "" : "green"}`}
                >
                  {seen.frame.type}
                  {seen.frame.replay ? ", replay" : ""}
                </span>
                <span class="num">{String(seen.frame.seq ?? "")}</span>
                <span class="num soft">
                  {typeof seen.frame.ts === "number" ? `${span(seen.at - seen.frame.ts)} old` : ""}
                </span>
                <span class="num soft">{seen.size} B</span>
              </button>
            ))}
          </Scroll>
        )}
      </Card>
      <Card title={chosen ? `A ${chosen.frame.type}` : "One frame"}>
        {chosen ? (
          <Code text={JSON.stringify(chosen.frame, null, 2)} />
        ) : (
          <Empty>Choose a frame to read it.</Empty>
        )}
      </Card>
    </div>
  );
}

function NotConnected() {
  return <span class="chip">not connected</span>;
}

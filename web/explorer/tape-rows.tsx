/** @jsxImportSource preact */
// One event of the tape as a row, and the chip that tells how the feed is.
import { Component } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ChainTag, Moment, SideTag, TokenLink, TraderLink } from "../shared/bits.tsx";
import { now } from "../shared/clock.ts";
import type { FeedView, TapeEvent } from "../shared/feed.ts";
import { price, span, usd } from "../shared/format.ts";
import { ProvedGain, tradeProof } from "./proof-link.tsx";
import type { TapeEntry } from "./tape-store.ts";

/** An entry never changes, so a row is drawn once: only rows that are new cost anything when the tape moves. */
export class TapeRow extends Component<{ entry: TapeEntry }> {
  override shouldComponentUpdate(next: { entry: TapeEntry }): boolean {
    return next.entry !== this.props.entry;
  }
  override render() {
    return <Row entry={this.props.entry} />;
  }
}

function Row({ entry }: { entry: TapeEntry }) {
  const { event } = entry;
  if (event === null) return <div class="tape-row gap">{entry.words}</div>;
  return (
    <div class={`tape-row ${event.alertType}`} data-row data-seq={event.seq}>
      <Moment at={event.ts} timeOnly />
      <SideTag side={event.alertType} />
      <span class="tape-who">
        {event.trader === null ? (
          <span class="soft">{event.notificationType ?? "push"}</span>
        ) : (
          <TraderLink handle={event.trader} size={18} />
        )}
      </span>
      <span class="tape-token">
        {event.tokenAddress && event.token ? (
          <TokenLink symbol={event.token} address={event.tokenAddress} networkId={event.chainId} size={18} />
        ) : event.token ? (
          <b>{event.token}</b>
        ) : null}
      </span>
      <Figures event={event} />
      <ChainTag chain={event.chain} />
    </div>
  );
}

function Figures({ event }: { event: TapeEvent }) {
  const isFill = event.fillUsd !== null && event.fillUsd !== undefined;
  if (!isFill)
    return (
      <span class="tape-text" dir="auto" title={event.text ?? undefined}>
        {event.text ?? ""}
      </span>
    );
  return (
    <>
      <span class="num tape-usd">
        {event.tradeId ? (
          <a class="plain-link" href={`/trades/${event.tradeId}`}>
            {usd(event.fillUsd)}
          </a>
        ) : (
          usd(event.fillUsd)
        )}
      </span>
      <span class="num soft tape-price">{price(event.priceUsd)}</span>
      <span class="tape-pnl">
        {event.realizedPnlUsdDelta === null || event.realizedPnlUsdDelta === undefined ? null : (
          <ProvedGain usd={event.realizedPnlUsdDelta} proof={tradeProof(event.tradeId)} />
        )}
      </span>
    </>
  );
}

/** Live, quiet, late, lost or refused: told apart by the heartbeat, never guessed. */
export function FeedChip({ status, quietSince }: { status: FeedView | null; quietSince: number | null }) {
  const [moment, setMoment] = useState<number | null>(null);
  useEffect(() => {
    const timer = setInterval(() => setMoment(now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  if (status === null || status.state === "connecting") return <span class="chip">connecting…</span>;
  if (status.state === "lost")
    return (
      <span class="chip red" role="status">
        disconnected, reconnecting…
      </span>
    );
  if (status.state === "refused")
    return (
      <span class="chip red" role="status" title={status.reason ?? undefined}>
        refused, trying again
      </span>
    );
  if (status.state === "closed")
    return (
      <span class="chip red" role="status" title={status.reason ?? undefined}>
        closed by the server
      </span>
    );
  if (status.state === "stopped") return <span class="chip">stopped</span>;
  // A late feed's newest event is as old as the feed is late, and not quiet for that.
  const quietMs =
    moment === null || quietSince === null ? 0 : moment - quietSince - status.delaySeconds * 1_000;
  const beatMs = moment === null || status.lastFrameAt === null ? 0 : moment - status.lastFrameAt;
  return (
    <>
      {status.delaySeconds > 0 ? (
        <a class="chip amber" href="/pricing" title={status.note ?? undefined}>
          {status.delaySeconds} s late
        </a>
      ) : null}
      <span class="chip green" title={`Last sign of life ${span(beatMs)} ago`}>
        <i class="pulse" aria-hidden="true" />
        {quietMs > 20_000 ? `live, quiet for ${span(quietMs)}` : "live"}
      </span>
    </>
  );
}

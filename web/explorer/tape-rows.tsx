/** @jsxImportSource preact */
// biome-ignore-all lint/a11y/useSemanticElements: rows have fixed places and only those in view exist, which a table element can't.
// biome-ignore-all lint/a11y/useFocusableInteractive: a table that only shows takes no focus.
// One event of the tape as a row, and the chip that shows the feed's state.
import { Component } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ChainTag, Moment, SideTag, TokenLink, TraderLink } from "../shared/bits.tsx";
import { now } from "../shared/clock.ts";
import type { FeedView, TapeEvent } from "../shared/feed.ts";
import { price, span, times, usd } from "../shared/format.ts";
import { ProvedGain, tradeProof } from "./proof-link.tsx";
import { newsOf } from "./tape-news.ts";
import type { TapeEntry, TapeStore } from "./tape-store.ts";
import { useTokenFacts } from "./token-facts.ts";

/** An entry never changes, so a row is drawn once: only new rows cost anything when the tape moves. */
export class TapeRow extends Component<{ entry: TapeEntry; store: TapeStore; isShort?: boolean }> {
  override shouldComponentUpdate(next: { entry: TapeEntry }): boolean {
    return next.entry !== this.props.entry;
  }
  override render() {
    const { entry, store, isShort = false } = this.props;
    const usualUsd = store.usualUsd(entry.event?.trader ?? null);
    return <Row entry={entry} usualUsd={usualUsd} isShort={isShort} />;
  }
}

const HEADINGS = [
  ["tape-time", "Time"],
  ["tape-side", "What"],
  ["tape-who", "Trader"],
  ["tape-token", "Token"],
  ["tape-usd", "Size"],
  ["tape-usual", "× usual"],
  ["tape-price", "Price"],
  ["tape-cap", "Market cap"],
  ["tape-pnl", "PnL taken"],
  ["tape-chain", "Chain"],
] as const;

/** Left out where a tape is next to something else: a market cap needs a call. */
const LONG_ONLY: readonly string[] = ["tape-price", "tape-cap"];

/** Virtualised rows can't be in a table element, but are read like one. */
export function TapeHead({ isShort = false }: { isShort?: boolean }) {
  return (
    <div class="tape-row tape-head" role="row">
      {HEADINGS.filter(([name]) => !isShort || !LONG_ONLY.includes(name)).map(([name, title]) => (
        <span key={name} class={name} role="columnheader">
          {title}
        </span>
      ))}
    </div>
  );
}

/** A short tape, complete: the newest rows under their headings. */
export function TapeTable(props: { store: TapeStore; rows: number; label: string; class?: string }) {
  const rows = Array.from({ length: Math.min(props.rows, props.store.length) }, (_, index) =>
    props.store.at(index),
  );
  return (
    <div class={`tape-static ${props.class ?? ""}`} role="table" aria-label={props.label}>
      <TapeHead isShort />
      {rows.map((entry) =>
        entry ? <TapeRow key={entry.seq} entry={entry} store={props.store} isShort /> : null,
      )}
    </div>
  );
}

function Row(props: { entry: TapeEntry; usualUsd: number | null; isShort: boolean }) {
  const { entry, usualUsd, isShort } = props;
  const { event } = entry;
  if (event === null)
    return (
      <div class="tape-row gap" role="row">
        <span role="cell">{entry.words}</span>
      </div>
    );
  return (
    <div class={`tape-row ${event.alertType}`} role="row" data-row data-seq={event.seq}>
      <span class="tape-time" role="cell">
        <Moment at={event.ts} as="time" />
      </span>
      <span class="tape-side" role="cell">
        <SideTag side={event.alertType} />
      </span>
      <span class="tape-who" role="cell">
        {event.trader === null ? (
          <span class="soft">{event.notificationType ?? "push"}</span>
        ) : (
          <TraderLink handle={event.trader} userId={event.userId} size={18} isPassing />
        )}
      </span>
      <span class="tape-token" role="cell">
        {event.tokenAddress && event.token ? (
          <TokenLink
            symbol={event.token}
            address={event.tokenAddress}
            networkId={event.chainId}
            size={18}
            isPassing
          />
        ) : event.token ? (
          <b>{event.token}</b>
        ) : null}
      </span>
      <Figures event={event} usualUsd={usualUsd} isShort={isShort} />
      <span class="tape-chain" role="cell">
        <ChainTag chain={event.chain} />
      </span>
    </div>
  );
}

function Figures(props: { event: TapeEvent; usualUsd: number | null; isShort: boolean }) {
  const { event, usualUsd, isShort } = props;
  const { fillUsd } = event;
  if (fillUsd === null || fillUsd === undefined)
    return (
      <span
        class="tape-text"
        role="cell"
        aria-colspan={isShort ? 3 : 5}
        dir="auto"
        title={event.text ?? undefined}
      >
        {event.text ?? ""}
      </span>
    );
  return (
    <>
      <span class="num tape-usd" role="cell">
        {event.tradeId ? (
          <a class="plain-link" href={`/trades/${event.tradeId}`}>
            {usd(fillUsd)}
          </a>
        ) : (
          usd(fillUsd)
        )}
      </span>
      <span class="num tape-usual" role="cell">
        <AgainstUsual sizeUsd={fillUsd} usualUsd={usualUsd} />
      </span>
      {isShort ? null : (
        <>
          <span class="num soft tape-price" role="cell">
            {price(event.priceUsd)}
          </span>
          <span class="num soft tape-cap" role="cell">
            {event.tokenAddress ? (
              <MarketCap
                networkId={event.chainId}
                address={event.tokenAddress}
                priceUsd={event.priceUsd ?? null}
              />
            ) : null}
          </span>
        </>
      )}
      <span class="tape-pnl" role="cell">
        {event.realizedPnlUsdDelta === null || event.realizedPnlUsdDelta === undefined ? null : (
          <ProvedGain usd={event.realizedPnlUsdDelta} proof={tradeProof(event.tradeId)} />
        )}
      </span>
    </>
  );
}

/** From this multiple of its trader's usual fill on, a fill counts as large. */
const LARGE_TIMES = 3;

function AgainstUsual({ sizeUsd, usualUsd }: { sizeUsd: number; usualUsd: number | null }) {
  if (usualUsd === null || usualUsd <= 0) return <span class="soft">–</span>;
  const share = sizeUsd / usualUsd;
  return (
    <span
      class={share >= LARGE_TIMES ? "large" : "soft"}
      title={`This trader's fills on the tape are ${usd(usualUsd)} as a rule`}
    >
      {times(share)}
    </span>
  );
}

/** At the fill's price and the current supply. */
function MarketCap(props: { networkId: number | null; address: string; priceUsd: number | null }) {
  const facts = useTokenFacts(props.networkId, props.address);
  const isKnown = facts !== null && facts.supply !== null && props.priceUsd !== null;
  return <>{usd(isKnown ? Number(facts.supply) * Number(props.priceUsd) : null)}</>;
}

const NEWS_EVERY_MS = 20_000;

/** Announces the news from time to time, politely, to screen readers. */
export function TapeNews({ store }: { store: TapeStore }) {
  const [words, setWords] = useState("");
  useEffect(() => {
    const newest = () => Math.max(0, ...store.since(-1).map(({ seq }) => seq));
    let last = newest();
    const timer = setInterval(() => {
      const news = newsOf(store.since(last));
      last = Math.max(last, newest());
      if (news !== "") setWords(news);
    }, NEWS_EVERY_MS);
    return () => clearInterval(timer);
  }, [store]);
  return (
    <p class="off-screen" role="status" aria-live="polite">
      {words}
    </p>
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
  // A late feed's newest event is as old as the feed's delay, so that alone does not make it quiet.
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

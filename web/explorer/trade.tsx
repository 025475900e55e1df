/** @jsxImportSource preact */
// One trade: who, what and why; the chart with its entries and exits; every fill with its transaction; the comments.
import type { CandlesAnswer, Comment, CommentsAnswer, TradeDetail } from "../../client/src/generated.ts";
import { Ago, Card, Change, Gain, Stats, TokenCell, TraderLink } from "../shared/bits.tsx";
import { counted, price, span, usd } from "../shared/format.ts";
import { useAnswer, usePage } from "../shared/query.tsx";
import { FailureNotice, KeyGate, Loaded, Skeleton } from "../shared/states.tsx";
import { pathOf, tradePath } from "./answers.ts";
import { CandleChart } from "./candle-chart.tsx";
import { tradeCard } from "./card-paths.ts";
import { Share } from "./share.tsx";
import { returnPct } from "./track-record.ts";
import { candlesAround } from "./trade-chart.ts";
import { TradeCopy } from "./trade-copy.tsx";
import { TradeFills, TradeTransfers } from "./trade-tables.tsx";

export function TradePage() {
  const tradeId = usePage().params.tradeId ?? "";
  const answer = useAnswer<TradeDetail>(tradePath(tradeId), { everyMs: 30_000 });
  const trade = answer.body;
  if (answer.needsKey) return <KeyGate />;
  if (trade === null) return answer.failure ? <FailureNotice answer={answer} /> : <Skeleton rows={12} />;
  return (
    <>
      <Summary trade={trade} />
      <div class="columns">
        <div class="main-column">
          <Chart trade={trade} />
          <Card title="Fills" aside={<span class="soft">{counted(trade.swapCount, "fill")}</span>}>
            <TradeFills path={tradePath(tradeId)} trade={trade} />
          </Card>
          {trade.transfers.length > 0 ? (
            <Card title="Transfers">
              <TradeTransfers trade={trade} />
            </Card>
          ) : null}
          <TradeCopy trade={trade} />
        </div>
        <div class="side-column">
          <Why trade={trade} />
          <Comments tradeId={tradeId} />
        </div>
      </div>
    </>
  );
}

function Summary({ trade }: { trade: TradeDetail }) {
  const { renderedAt } = usePage();
  const { closedAt } = trade;
  const isOpen = closedAt === null;
  const endedAt = closedAt === null ? renderedAt : Date.parse(closedAt);
  return (
    <section class="card identity trade-head">
      <div class="trade-title">
        <h1>
          {trade.token.symbol} <span class="soft">by @{trade.trader.handle}</span>
        </h1>
        <p>
          <TraderLink handle={trade.trader.handle} userId={trade.userId} />
          <TokenCell token={trade.token} networkId={trade.chainId} chain={trade.chain} />
          <span class={`chip ${isOpen ? "green" : ""}`}>{isOpen ? "open" : "closed"}</span>
          {trade.isDev ? (
            <span class="chip amber" title="Deployed this token, or is an insider of it">
              dev
            </span>
          ) : null}
          <Share href={`/trades/${trade.tradeId}`} card={tradeCard(trade.tradeId)} />
        </p>
      </div>
      <Stats
        of={{
          "PnL, net of fees": <Gain usd={trade.pnlUsd} />,
          Return: <Change points={returnPct(trade)} />,
          Taken: <Gain usd={trade.realizedPnlUsd} />,
          "Still open": <Gain usd={trade.unrealizedPnlUsd} />,
          "Put in": usd(trade.costBasisUsd),
          "Average entry": price(trade.avgEntryPrice),
          "Average exit": price(trade.avgExitPrice),
          [isOpen ? "Held so far" : "Held"]: span(endedAt - Date.parse(trade.createdAt)),
          Fees: usd(trade.feesUsd),
        }}
      />
      <PriceSource trade={trade} />
    </section>
  );
}

const PRICED_BY = {
  stable: "dollar coins",
  native: "the chain's coin",
  pool: "a pool",
  quote: "a price endpoint",
  platform: "the platform",
} as const;

/** The basis of the price; nothing if the platform doesn't say. */
function PriceSource({ trade: { pricedBy, depthUsd, exact } }: { trade: TradeDetail }) {
  if (pricedBy === null) return null;
  return (
    <p class="soft note">
      Priced by {PRICED_BY[pricedBy]}
      {depthUsd === null ? "" : ` with ${usd(depthUsd)} depth`}
      {exact === false ? "; some amounts are estimates" : ""}.
    </p>
  );
}

function Chart({ trade }: { trade: TradeDetail }) {
  const { renderedAt } = usePage();
  const { interval, from, to } = candlesAround(trade, renderedAt);
  const answer = useAnswer<CandlesAnswer>(
    pathOf(`/v2/token/${encodeURIComponent(trade.token.address)}/candles`, {
      networkId: trade.chainId,
      interval,
      from,
      to,
      limit: 1_000,
    }),
  );
  return (
    <Card title="Entries and exits">
      <Loaded
        answer={answer}
        rows={10}
        isEmpty={(body) => body.candles.length === 0}
        empty="No candle of that time was captured."
      >
        {(body) => (
          <CandleChart
            candles={body.candles}
            interval={interval}
            trades={trade.swaps.map((swap) => ({
              key: swap.swapId,
              at: Date.parse(swap.at),
              side: swap.side,
              usd: (swap.side === "buy" ? swap.tokenOut : swap.tokenIn).usd,
              priceUsd: swap.priceUsd,
              trader: trade.trader.handle,
              tradeId: trade.tradeId,
            }))}
            marked={null}
            theses={[]}
            symbol={trade.token.symbol}
          />
        )}
      </Loaded>
    </Card>
  );
}

function Why({ trade }: { trade: TradeDetail }) {
  return (
    <Card title="Why">
      {trade.thesis === null ? (
        <p class="empty">No reason was written.</p>
      ) : (
        <div class="why">
          <blockquote dir="auto">{trade.thesis.text}</blockquote>
          {trade.thesis.likes === null ? null : (
            <p class="soft note">{counted(trade.thesis.likes, "like")}</p>
          )}
          <Share href={`/trades/${trade.tradeId}?show=thesis`} card={tradeCard(trade.tradeId, true)} />
        </div>
      )}
    </Card>
  );
}

function Comments({ tradeId }: { tradeId: string }) {
  const answer = useAnswer<CommentsAnswer>(pathOf(`${tradePath(tradeId)}/comments`, { limit: 50 }));
  return (
    <Card title="Comments">
      <Loaded
        answer={answer}
        rows={3}
        isEmpty={(body) => body.comments.length === 0}
        empty="No one commented."
      >
        {(body) => (
          <ol class="theses">
            {body.comments.map((comment: Comment) => (
              <li key={comment.id} class={comment.isReply ? "reply" : ""} data-row>
                <p class="thesis-head">
                  <TraderLink handle={comment.handle} userId={comment.userId} />
                  <Ago at={Date.parse(comment.createdAt)} />
                </p>
                <blockquote dir="auto">{comment.text}</blockquote>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Card>
  );
}

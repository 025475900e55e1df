/** @jsxImportSource preact */
// One token: candles with volume and its traders' marks, flow, holders, devs, theses, and live events.

import { useState } from "preact/hooks";
import type { CandlesAnswer, Thesis, TokenOverview, TokenThesesAnswer } from "../../client/src/generated.ts";
import { DAY_MS } from "../../kit/units.ts";
import { Ago, Card, ChainTag, Change, Copyable, Moment, Stats, Tabs, TokenCell } from "../shared/bits.tsx";
import type { TapeEvent } from "../shared/feed.ts";
import { count, price, span, usd } from "../shared/format.ts";
import { Picture } from "../shared/identicon.tsx";
import { useAnswer, usePage } from "../shared/query.tsx";
import { KeyGate, Loaded, Skeleton, Stale } from "../shared/states.tsx";
import { WatchButton } from "../shared/watch-button.tsx";
import { pathOf, tokenPath } from "./answers.ts";
import { CandleChart } from "./candle-chart.tsx";
import { tokenCard } from "./card-paths.ts";
import { tradesOf } from "./chart-marks.ts";
import { Unknown } from "./plain.tsx";
import { Share } from "./share.tsx";
import { TapeEmpty } from "./tape-empty.tsx";
import { FeedChip, TapeTable } from "./tape-rows.tsx";
import { ThesisList } from "./thesis-list.tsx";
import { FlowByHour } from "./token-flow.tsx";
import { Devs, Flow, Holders, HoldersOverTime } from "./token-side.tsx";
import { useMarkedFills } from "./use-marked-fills.ts";
import { useTape } from "./use-tape.ts";

const INTERVALS = [
  ["1m", "1m"],
  ["5m", "5m"],
  ["15m", "15m"],
  ["1h", "1h"],
  ["4h", "4h"],
  ["1d", "1d"],
] as const;
type Interval = (typeof INTERVALS)[number][0];

const AXES = [
  ["price", "Price"],
  ["cap", "Market cap"],
] as const;
type Axis = (typeof AXES)[number][0];

export function TokenPage() {
  const page = usePage();
  const address = page.params.address ?? "";
  const answer = useAnswer<TokenOverview>(tokenPath(address, page.query.networkId), { everyMs: 15_000 });
  const token = answer.body;
  if (answer.needsKey) return <KeyGate />;
  if (token === null)
    return answer.failure ? <TokenFailure answer={answer} address={address} /> : <Skeleton rows={12} />;
  return <TokenView token={token} />;
}

/** An address that exists on several chains is not an error: the visitor picks one. */
function TokenFailure({
  answer,
  address,
}: {
  answer: ReturnType<typeof useAnswer<TokenOverview>>;
  address: string;
}) {
  const page = usePage();
  const allowed = answer.failure?.code === "network_required" ? answer.failure.allowed : undefined;
  if (!allowed) return <Unknown answer={answer} name={address} type="tokens" />;
  const choice = (
    <p class="actions">
      {allowed.map((id) => (
        <a key={id} class="button plain" href={`/tokens/${encodeURIComponent(address)}?networkId=${id}`}>
          {page.chains.find((chain) => String(chain.id) === id)?.name ?? id}
        </a>
      ))}
    </p>
  );
  if (allowed.length === page.chains.length)
    return (
      <Unknown answer={answer} name={address} type="tokens">
        {choice}
      </Unknown>
    );
  return (
    <section class="card narrow lost">
      <h1>Which chain?</h1>
      <p>{answer.failure?.message}</p>
      {choice}
    </section>
  );
}

function TokenView({ token }: { token: TokenOverview }) {
  const { address } = token.token;
  const on = { networkId: token.networkId };
  const base = `/v2/token/${encodeURIComponent(address)}`;
  const theses = useAnswer<TokenThesesAnswer>(
    pathOf(`/v2/thesis/token/${encodeURIComponent(address)}`, { limit: 20 }),
  );
  const tape = useTape({ token: address }, { max: 400 });
  const events = Array.from(
    { length: tape.store.length },
    (_, index) => tape.store.at(index)?.event ?? null,
  ).filter((event) => event !== null);
  return (
    <>
      <Overview token={token} />
      <div class="columns">
        <div class="main-column">
          <Candles
            base={base}
            address={address}
            networkId={token.networkId}
            tape={events}
            theses={theses.body?.theses ?? []}
            symbol={token.token.symbol}
            supply={token.supply}
          />
          <FlowByHour base={base} networkId={token.networkId} />
          <Card title="Activity" aside={<FeedChip status={tape.status} quietSince={events[0]?.ts ?? null} />}>
            {tape.store.length === 0 ? (
              <TapeEmpty tape={tape} rows={6}>
                No tracked trader's trade of this is in the feed.
              </TapeEmpty>
            ) : (
              <TapeTable
                store={tape.store}
                rows={40}
                label="Trades of this token, newest first"
                class="tall"
              />
            )}
          </Card>
          <Card title="Theses">
            <Loaded
              answer={theses}
              rows={5}
              isEmpty={(body) => body.theses.length === 0}
              empty="No thesis about this yet."
            >
              {(body) => <ThesisList theses={body.theses} by="trader" />}
            </Loaded>
          </Card>
        </div>
        <div class="side-column">
          <Flow path={pathOf(`${base}/stats`, on)} />
          <HoldersOverTime base={base} networkId={token.networkId} />
          <Holders path={pathOf(`/token/${encodeURIComponent(address)}/holders`, { limit: 20 })} />
          <Devs path={pathOf(`${base}/devs`, on)} />
        </div>
      </div>
    </>
  );
}

function Overview({ token }: { token: TokenOverview }) {
  const { quote } = token;
  return (
    <section class="card identity">
      <div class="who-large">
        <Picture src={token.token.image} name={token.token.address} size={56} />
        <div>
          <h1 dir="auto">
            {token.token.symbol} <span class="soft">{token.token.name}</span>
          </h1>
          <p class="quote">
            <b class="num">{price(quote.priceUsd)}</b> <Change points={quote.change24h} />{" "}
            <span class="soft">24 h, as of</span> <Ago at={Date.parse(quote.asOf)} />
            {token.stale ? <Stale at={quote.asOf} /> : null}
          </p>
        </div>
      </div>
      <Stats
        of={{
          "Market cap": usd(token.marketCapUsd),
          "Volume, 24 h": usd(token.volume24hUsd),
          Supply: count(token.supply),
          Holders: count(token.holders),
          "Tracked holders": count(token.trackedHolders),
          Age: token.ageDays === null ? "–" : span(token.ageDays * DAY_MS),
        }}
      />
      <div class="wallets">
        <span>
          <ChainTag chain={token.chain} />
          <Copyable text={token.token.address} label="the token's address" />
        </span>
        {token.launchedAt === null ? null : (
          <span class="chip">
            launched <Moment at={Date.parse(token.launchedAt)} />
          </span>
        )}
        {token.graduatedAt ? (
          <span class="chip green">
            graduated <Ago at={Date.parse(token.graduatedAt)} />
          </span>
        ) : null}
        {token.lowFees ? <span class="chip">low fees</span> : null}
        <WatchButton
          item={{ address: token.token.address, networkId: token.networkId, symbol: token.token.symbol }}
          name={token.token.symbol}
        />
        <a class="chip" href={`/tape?token=${encodeURIComponent(token.token.address)}`}>
          follow on the tape
        </a>
        <Share
          href={`/tokens/${encodeURIComponent(token.token.address)}?networkId=${token.networkId}`}
          card={tokenCard(token.token.address, token.networkId)}
          embed={`/embed/token/${token.networkId}/${encodeURIComponent(token.token.address)}`}
        />
        {token.sameTicker.length > 0 ? (
          <span class="namesakes">
            <span class="soft">Same ticker:</span>{" "}
            {token.sameTicker.slice(0, 4).map((other) => (
              <span key={`${other.chainId}${other.token.address}`} class="pair">
                <TokenCell token={other.token} networkId={other.chainId} chain={other.chain} size={16} />
                <span class="num soft">{usd(other.marketCapUsd)}</span>
              </span>
            ))}
          </span>
        ) : null}
      </div>
    </section>
  );
}

function Candles(props: {
  base: string;
  address: string;
  networkId: number;
  symbol: string;
  supply: number | null;
  tape: readonly TapeEvent[];
  theses: readonly Thesis[];
}) {
  const [interval, setInterval] = useState<Interval>("1h");
  const [axis, setAxis] = useState<Axis>("price");
  const answer = useAnswer<CandlesAnswer>(
    pathOf(`${props.base}/candles`, { networkId: props.networkId, interval, limit: 500 }),
    { everyMs: 15_000 },
  );
  const marked = useMarkedFills(props);
  return (
    <Card
      title="Candles"
      id="chart"
      class="candle-card"
      aside={
        <>
          {props.supply === null ? null : (
            <Tabs label="Axis" values={AXES} current={axis} onChoose={setAxis} />
          )}
          <Tabs label="Interval" values={INTERVALS} current={interval} onChoose={setInterval} />
        </>
      }
    >
      <Loaded
        answer={answer}
        rows={10}
        isEmpty={(body) => body.candles.length === 0}
        empty="No fill was captured yet, so there is no candle."
      >
        {(body) => (
          <CandleChart
            candles={body.candles}
            interval={interval}
            trades={tradesOf(marked.fills, props.tape)}
            marked={marked}
            theses={props.theses}
            symbol={props.symbol}
            supply={axis === "cap" ? props.supply : null}
          />
        )}
      </Loaded>
    </Card>
  );
}

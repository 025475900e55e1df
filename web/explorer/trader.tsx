// One trader: who they are, how their profit ran, what they hold, what they closed, where they made and lost it.
import { useState } from "preact/hooks";
import { Ago, Card, ChainTag, Copyable, Gain, Stat, Tabs, TokenLink, Verified } from "../shared/bits.tsx";
import { Calendar } from "../shared/calendar.tsx";
import { Curve } from "../shared/curve.tsx";
import { count, span, usd } from "../shared/format.ts";
import { Picture } from "../shared/identicon.tsx";
import { useAnswer, usePage } from "../shared/query.tsx";
import { PnlBar } from "../shared/sparkline.tsx";
import { KeyGate, Loaded, Problem, Skeleton } from "../shared/states.tsx";
import { Treemap } from "../shared/treemap.tsx";
import {
  type BalancesAnswer,
  type PnlAnswer,
  pathOf,
  type ThesesAnswer,
  type TraderAnswer,
  WINDOWS,
  type Window,
} from "./answers.ts";
import { ThesisList } from "./thesis-list.tsx";
import { Fills, Positions } from "./trader-tables.tsx";

export const traderPath = (handle: string) => `/v2/users/${encodeURIComponent(handle)}`;
export const pnlPath = (handle: string, window: string, interval = "") =>
  pathOf(`${traderPath(handle)}/pnl`, { window, interval });

export function TraderPage() {
  const page = usePage();
  const handle = page.params.handle ?? "";
  const answer = useAnswer<TraderAnswer>(traderPath(handle), { everyMs: 60_000 });
  const trader = answer.body;
  if (answer.needsKey) return <KeyGate />;
  if (trader === null) return answer.failure ? <Problem answer={answer} /> : <Skeleton rows={12} />;
  return (
    <>
      <Identity trader={trader} />
      <div class="columns">
        <div class="main-column">
          <Profit handle={handle} />
          <Card title="Open positions">
            <Positions handle={handle} status="open" />
          </Card>
          <Card title="Closed positions">
            <Positions handle={handle} status="closed" />
          </Card>
          <Card title="Fills">
            <Fills handle={handle} />
          </Card>
        </div>
        <div class="side-column">
          <Holdings handle={handle} />
          <Where handle={handle} />
          <Days handle={handle} />
          <Theses handle={handle} />
        </div>
      </div>
    </>
  );
}

function Identity({ trader }: { trader: TraderAnswer }) {
  return (
    <section class="card identity">
      <div class="who-large">
        <Picture src={trader.avatar} name={trader.handle} size={56} />
        <div>
          <h1 dir="auto">
            {trader.displayName} {trader.verified ? <Verified /> : null}
          </h1>
          <p class="soft">
            <span dir="auto">@{trader.handle}</span>
            {trader.clan ? (
              <span class="chip" dir="auto">
                {trader.clan.icon} {trader.clan.name}
              </span>
            ) : null}
            {trader.twitter ? <span dir="auto">𝕏 {trader.twitter}</span> : null}
          </p>
          {trader.description ? <p dir="auto">{trader.description}</p> : null}
        </div>
      </div>
      <dl class="stats">
        <Stat name="PnL, all time">
          <Gain usd={trader.pnlUsd} />
        </Stat>
        <Stat name="30 days">
          <Gain usd={trader.pnl["30d"]} />
        </Stat>
        <Stat name="7 days">
          <Gain usd={trader.pnl["7d"]} />
        </Stat>
        <Stat name="24 hours">
          <Gain usd={trader.pnl["24h"]} />
        </Stat>
        <Stat name="Volume">
          <span class="num">{usd(trader.volumeUsd)}</span>
        </Stat>
        <Stat name="Positions">
          <span class="num">{count(trader.trades)}</span>
        </Stat>
        <Stat name="Average hold">
          <span class="num">
            {trader.averageHoldTimeSeconds === null ? "–" : span(trader.averageHoldTimeSeconds * 1_000)}
          </span>
        </Stat>
        <Stat name="Followers">
          <span class="num">{count(trader.followers)}</span>
        </Stat>
        <Stat name="Following">
          <span class="num">{count(trader.following)}</span>
        </Stat>
        <Stat name="Account age">
          <span class="num">{count(trader.accountAgeDays)} d</span>
        </Stat>
      </dl>
      <div class="wallets">
        {trader.wallets.solana ? (
          <span>
            <ChainTag chain="solana" />
            <Copyable text={trader.wallets.solana} label="the Solana wallet" />
          </span>
        ) : null}
        {trader.wallets.evm ? (
          <span>
            <span class="chain ink">evm</span>
            <Copyable text={trader.wallets.evm} label="the EVM wallet" />
          </span>
        ) : null}
        {trader.wallets.solana === null && trader.wallets.evm === null ? (
          <span class="soft">No wallet is known.</span>
        ) : null}
        {trader.wallets.verified ? <span class="chip green">wallets verified</span> : null}
        <a class="chip" href={`/tape?trader=${encodeURIComponent(trader.handle)}`}>
          follow on the tape
        </a>
      </div>
    </section>
  );
}

function Profit({ handle }: { handle: string }) {
  const [window, setWindow] = useState<Window>("7d");
  const answer = useAnswer<PnlAnswer>(pnlPath(handle, window), { everyMs: 60_000 });
  return (
    <Card
      title="Profit"
      aside={<Tabs label="Window" values={WINDOWS} current={window} onChoose={setWindow} />}
    >
      <Loaded
        answer={answer}
        rows={8}
        isEmpty={(body) => body.buckets.length === 0}
        empty="No position was open in this window."
      >
        {(body) => (
          <>
            <dl class="stats small">
              <Stat name="In this window">
                <Gain usd={body.pnlUsd} />
              </Stat>
              <Stat name="Taken">
                <Gain usd={body.realizedUsd} />
              </Stat>
              <Stat name="Change of open">
                <Gain usd={body.unrealizedChangeUsd} />
              </Stat>
              <Stat name="Volume">
                <span class="num">{usd(body.volumeUsd)}</span>
              </Stat>
              <Stat name="Fills">
                <span class="num">{count(body.fills)}</span>
              </Stat>
            </dl>
            <Curve points={body.buckets} label={`Profit of ${handle} over ${window}`} />
            {body.complete ? null : <p class="soft note">Not complete. {body.note}</p>}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Days({ handle }: { handle: string }) {
  const answer = useAnswer<PnlAnswer>(pnlPath(handle, "30d", "1d"));
  return (
    <Card title="Days">
      <Loaded answer={answer} rows={4} isEmpty={(body) => body.buckets.length === 0}>
        {(body) => (
          <Calendar
            days={body.buckets.map(({ t, pnlUsd, fills }, index) => ({
              ...{ t, fills, gainUsd: pnlUsd - (body.buckets[index - 1]?.pnlUsd ?? 0) },
            }))}
          />
        )}
      </Loaded>
    </Card>
  );
}

function Holdings({ handle }: { handle: string }) {
  const answer = useAnswer<BalancesAnswer>(`${traderPath(handle)}/balances`);
  return (
    <Card
      title="Holdings"
      aside={
        answer.body?.totalValueUsd == null ? undefined : <b class="num">{usd(answer.body.totalValueUsd)}</b>
      }
    >
      <Loaded
        answer={answer}
        rows={5}
        isEmpty={(body) => body.holdings.length === 0}
        empty="Nothing is held."
      >
        {(body) => (
          <>
            <Treemap
              items={body.holdings.slice(0, 24).map((holding) => ({
                key: `${holding.chainId}${holding.token.address}`,
                label: holding.token.symbol,
                value: holding.valueUsd ?? 0,
                change: holding.change24h,
                href: `/tokens/${encodeURIComponent(holding.token.address)}?networkId=${holding.chainId}`,
              }))}
            />
            {body.asOf ? (
              <p class="soft note">
                {body.count} tokens, read <Ago at={Date.parse(body.asOf)} />. {body.note}
              </p>
            ) : null}
          </>
        )}
      </Loaded>
    </Card>
  );
}

const WHERE_ROWS = 6;

/** Where the window's profit came from, and where it went. */
function Where({ handle }: { handle: string }) {
  const answer = useAnswer<PnlAnswer>(pnlPath(handle, "30d", "1d"));
  return (
    <Card title="Made and lost, 30 days">
      <Loaded answer={answer} rows={6} isEmpty={(body) => body.byToken.length === 0}>
        {(body) => {
          const ends =
            body.byToken.length <= 2 * WHERE_ROWS
              ? body.byToken
              : [...body.byToken.slice(0, WHERE_ROWS), ...body.byToken.slice(-WHERE_ROWS)];
          const largest = Math.max(...ends.map(({ pnlUsd }) => Math.abs(pnlUsd)));
          const most = Math.max(...body.byChain.map(({ pnlUsd }) => Math.abs(pnlUsd)));
          return (
            <>
              <table class="list">
                <thead>
                  <tr>
                    <th scope="col">Token</th>
                    <th scope="col" class="bar">
                      <span class="off-screen">As a bar</span>
                    </th>
                    <th scope="col" class="right">
                      PnL
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {ends.map((row) => (
                    <tr key={`${row.chainId}${row.token.address}`} data-row>
                      <td>
                        <TokenLink
                          symbol={row.token.symbol}
                          address={row.token.address}
                          networkId={row.chainId}
                          image={row.token.image}
                          size={16}
                        />
                      </td>
                      <td class="bar">
                        <PnlBar value={row.pnlUsd} largest={largest} both />
                      </td>
                      <td class="right">
                        <Gain usd={row.pnlUsd} quiet />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <table class="list">
                <thead>
                  <tr>
                    <th scope="col">Chain</th>
                    <th scope="col" class="bar">
                      <span class="off-screen">As a bar</span>
                    </th>
                    <th scope="col" class="right">
                      PnL
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {body.byChain.map((row) => (
                    <tr key={row.chainId}>
                      <td>
                        <ChainTag chain={row.chain} />
                      </td>
                      <td class="bar">
                        <PnlBar value={row.pnlUsd} largest={most} both />
                      </td>
                      <td class="right">
                        <Gain usd={row.pnlUsd} quiet />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function Theses({ handle }: { handle: string }) {
  const answer = useAnswer<ThesesAnswer>(
    pathOf(`/v2/thesis/user/${encodeURIComponent(handle)}`, { limit: 10 }),
  );
  return (
    <Card title="Theses">
      <Loaded
        answer={answer}
        rows={5}
        isEmpty={(body) => body.theses.length === 0}
        empty="Nothing written yet."
      >
        {(body) => <ThesisList theses={body.theses} by="token" />}
      </Loaded>
    </Card>
  );
}

/** @jsxImportSource preact */
// One trader: who they are, their profit over time, their holdings and closed positions, where they made and lost money.
import type { PnlAnswer, PositionsAnswer, Trader } from "../../client/src/generated.ts";
import { Card, ChainTag, Copyable, Gain, Stats, Tabs, Verified } from "../shared/bits.tsx";
import { Curve } from "../shared/curve.tsx";
import type { PageData } from "../shared/data.ts";
import { count, span, usd } from "../shared/format.ts";
import { Picture } from "../shared/identicon.tsx";
import { useAnswer, usePage } from "../shared/query.tsx";
import { KeyGate, Loaded, Skeleton } from "../shared/states.tsx";
import { WatchButton } from "../shared/watch-button.tsx";
import { pnlPath, traderPath, WINDOWS } from "./answers.ts";
import { traderCard } from "./card-paths.ts";
import { CopyCard } from "./copy-card.tsx";
import { Unknown } from "./plain.tsx";
import { ProfitProof } from "./proof.tsx";
import { ProvedGain, windowProof } from "./proof-link.tsx";
import { TrackRecordCard } from "./record-card.tsx";
import { Share } from "./share.tsx";
import { People } from "./trader-people.tsx";
import { Days, Holdings, Theses, Where } from "./trader-side.tsx";
import { Fills, Positions, positionsPath } from "./trader-tables.tsx";
import { useUrlState } from "./url-state.ts";

export function TraderPage() {
  const page = usePage();
  const handle = page.params.handle ?? "";
  const answer = useAnswer<Trader>(traderPath(handle), { everyMs: 60_000 });
  const trader = answer.body;
  if (answer.needsKey) return <KeyGate />;
  if (trader === null)
    return answer.failure ? <Unknown answer={answer} name={handle} type="traders" /> : <Skeleton rows={12} />;
  const closed = closedMax(handle, trader, page.loaded);
  return (
    <>
      <Identity trader={trader} />
      <div class="columns">
        <div class="main-column">
          <Profit handle={handle} />
          <TrackRecordCard handle={handle} isLikely={closed > 0} />
          <CopyCard handle={handle} />
          <Card title="Open positions">
            <Positions handle={handle} status="open" expected={trader.trades - closed} />
          </Card>
          <Card title="Closed positions">
            <Positions handle={handle} status="closed" expected={closed} />
          </Card>
          <Card title="Fills">
            <Fills handle={handle} expected={trader.swapCount} />
          </Card>
        </div>
        <div class="side-column">
          <Holdings handle={handle} />
          <Where handle={handle} trades={trader.trades} />
          <Days handle={handle} />
          <People trader={trader} />
          {/* Last, because its length isn't known before it loads. */}
          <Theses handle={handle} />
        </div>
      </div>
    </>
  );
}

/** Before they are read: all positions ever opened minus those open in the page's initial data. */
function closedMax(handle: string, { trades }: Pick<Trader, "trades">, loaded: PageData["loaded"]): number {
  const open = loaded[positionsPath(handle, "open")]?.body as Partial<PositionsAnswer> | undefined;
  return Math.max(0, trades - (open?.openTotal ?? 0));
}

function Identity({ trader }: { trader: Trader }) {
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
      <Stats
        of={{
          "PnL, all time": <ProvedGain usd={trader.pnlUsd} proof={windowProof(trader.handle, "all")} />,
          "30 days": <ProvedGain usd={trader.pnl["30d"]} proof={windowProof(trader.handle, "30d")} />,
          "7 days": <ProvedGain usd={trader.pnl["7d"]} proof={windowProof(trader.handle, "7d")} />,
          "24 hours": <ProvedGain usd={trader.pnl["24h"]} proof={windowProof(trader.handle, "24h")} />,
          Volume: usd(trader.volumeUsd),
          Positions: count(trader.trades),
          "Average hold":
            trader.averageHoldTimeSeconds === null ? "–" : span(trader.averageHoldTimeSeconds * 1_000),
          Followers: count(trader.followers),
          Following: count(trader.following),
          "Account age": `${count(trader.accountAgeDays)} d`,
        }}
      />
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
        <WatchButton item={{ handle: trader.handle }} name={trader.displayName} />
        <a class="chip" href={`/tape?trader=${encodeURIComponent(trader.handle)}`}>
          follow on the tape
        </a>
        <Share
          href={`/traders/${encodeURIComponent(trader.handle)}`}
          card={traderCard(trader.handle)}
          embed={`/embed/trader/${encodeURIComponent(trader.handle)}`}
        />
      </div>
    </section>
  );
}

/** Without any data the figures would be zeros, which would be wrong. */
const isUnknown = (body: PnlAnswer) => !body.complete && body.fills === 0 && body.pnlUsd === 0;

function Profit({ handle }: { handle: string }) {
  const [{ window: wanted }, change] = useUrlState({ window: "7d" });
  const window = WINDOWS.map(([name]) => name).find((name) => name === wanted) ?? "7d";
  const answer = useAnswer<PnlAnswer>(pnlPath(handle, window), { everyMs: 60_000 });
  return (
    <Card
      title="Profit"
      aside={
        <Tabs
          label="Window"
          values={WINDOWS}
          current={window}
          onChoose={(next) => change({ window: next })}
        />
      }
    >
      <Loaded
        answer={answer}
        rows={8}
        isEmpty={(body) => body.buckets.length === 0 || isUnknown(body)}
        empty={
          answer.body && isUnknown(answer.body)
            ? "The fills of this window are still being read."
            : "No position was open in this window."
        }
      >
        {(body) => (
          <>
            <Stats
              small
              of={{
                "In this window": <ProvedGain usd={body.pnlUsd} proof="#proof" />,
                Taken: <Gain usd={body.realizedUsd} />,
                "Change of open": <Gain usd={body.unrealizedChangeUsd} />,
                "Fees, taken off": usd(body.feesUsd),
                Volume: usd(body.volumeUsd),
                Fills: count(body.fills),
              }}
            />
            <Curve points={body.buckets} label={`Profit of ${handle} over ${window}`} />
            {body.complete ? null : <p class="soft note">Not complete. {body.note}</p>}
            <ProfitProof key={window} handle={handle} window={window} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

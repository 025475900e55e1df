/** @jsxImportSource preact */
// The column next to a token's chart: its flow, its holders, its developers.
import { useState } from "preact/hooks";
import type {
  DevsAnswer,
  HolderHistoryAnswer,
  HoldersAnswer,
  TokenStatsAnswer,
} from "../../client/src/generated.ts";
import { Card, Gain, Moment, Tabs, TraderLink } from "../shared/bits.tsx";
import { count, counted, netUsd, share, usd } from "../shared/format.ts";
import { useAnswer } from "../shared/query.tsx";
import { SplitBar, Trend } from "../shared/sparkline.tsx";
import { Loaded } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
import { pathOf } from "./answers.ts";
import { ProvedGain, tradeProof } from "./proof-link.tsx";

const FLOW_WINDOWS = ["5m", "1h", "4h", "24h"] as const;

export function Flow({ path }: { path: string }) {
  const answer = useAnswer<TokenStatsAnswer>(path, { everyMs: 30_000 });
  return (
    <Card
      title="Flow"
      aside={
        answer.body?.top10HoldersPercent == null ? undefined : (
          <span class="soft">top ten hold {share(answer.body.top10HoldersPercent / 100)}</span>
        )
      }
    >
      <Loaded answer={answer} rows={4}>
        {(body) => (
          <Table
            class="flow"
            rows={FLOW_WINDOWS.map((window) => ({ window, ...body.windows[window] }))}
            keyOf={({ window }) => window}
            columns={[
              { title: "Window", class: "num", isRowHead: true, cell: ({ window }) => window },
              {
                title: "Bought",
                class: "right num",
                cell: (flow) => (
                  <span title={`${counted(flow.buys, "buy")} by ${flow.uniqueBuyers}`}>
                    {usd(flow.buyVolumeUsd)}
                  </span>
                ),
              },
              {
                title: "Bought against sold",
                class: "bar",
                isTitleHidden: true,
                cell: (flow) => (
                  <SplitBar
                    left={flow.buyVolumeUsd}
                    right={flow.sellVolumeUsd}
                    label={`${flow.window}: ${counted(flow.buys, "buy")}, ${counted(flow.sells, "sell")}`}
                  />
                ),
              },
              {
                title: "Sold",
                class: "right num",
                cell: (flow) => (
                  <span title={`${counted(flow.sells, "sell")} by ${flow.uniqueSellers}`}>
                    {usd(flow.sellVolumeUsd)}
                  </span>
                ),
              },
              { title: "Net", class: "right", cell: (flow) => <Gain usd={flow.netVolumeUsd} quiet /> },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}

export function Holders({ path }: { path: string }) {
  const answer = useAnswer<HoldersAnswer>(path);
  return (
    <Card title="Holders">
      <Loaded
        answer={answer}
        rows={6}
        isEmpty={(body) => body.holders.length === 0}
        empty="No tracked trader holds it."
      >
        {(body) => (
          <>
            <Table
              rows={body.holders}
              keyOf={(row) => row.userId}
              columns={[
                {
                  title: "Trader",
                  cell: (row) => <TraderLink handle={row.handle} userId={row.userId} size={18} />,
                },
                {
                  title: "Worth",
                  class: "right num",
                  cell: (row) => <span title={count(row.amount)}>{usd(row.valueUsd)}</span>,
                },
                {
                  title: "PnL",
                  class: "right",
                  cell: (row) => <ProvedGain usd={row.pnlUsd} quiet proof={tradeProof(row.tradeId)} />,
                },
                {
                  title: "Since",
                  class: "right",
                  cell: (row) => <Moment at={Date.parse(row.since)} as="day" />,
                },
              ]}
            />
            <p class="soft note">
              {body.coverage.holders} of {count(body.coverage.tradersTracked)} tracked traders hold it.
            </p>
          </>
        )}
      </Loaded>
    </Card>
  );
}

const HOLDER_SPANS = [
  ["1h", "2 days"],
  ["1d", "30 days"],
] as const;
const HOLDER_POINTS = { "1h": 49, "1d": 31 } as const;

/** The number of tracked traders who held it, over time. */
export function HoldersOverTime({ base, networkId }: { base: string; networkId: number }) {
  const [interval, choose] = useState<keyof typeof HOLDER_POINTS>("1h");
  const answer = useAnswer<HolderHistoryAnswer>(
    pathOf(`${base}/holders/history`, { networkId, interval, limit: HOLDER_POINTS[interval] }),
  );
  return (
    <Card
      title="Holders over time"
      class="holders-card"
      aside={<Tabs label="Span" values={HOLDER_SPANS} current={interval} onChoose={choose} />}
    >
      <Loaded
        answer={answer}
        rows={3}
        isEmpty={(body) => body.points.length < 2}
        empty="Captured for too short a time to tell."
      >
        {({ points }) => {
          const holders = points.map((point) => point.holders);
          const [first, last] = [points[0], holders.at(-1) ?? 0];
          return (
            <>
              <Trend
                values={holders}
                label={`Tracked holders: ${holders[0]} at first, ${last} now`}
                fromZero={false}
              />
              <p class="soft note">
                <b class="num">{last}</b> tracked traders hold it, <span class="num">{holders[0]}</span> did
                on <Moment at={Date.parse(first?.t ?? "")} />; at least {Math.min(...holders)}, at most{" "}
                {Math.max(...holders)} in between.
              </p>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

export function Devs({ path }: { path: string }) {
  const answer = useAnswer<DevsAnswer>(path);
  return (
    <Card title="Deployer and insiders">
      <Loaded
        answer={answer}
        rows={3}
        isEmpty={(body) => body.devs.length === 0}
        empty="None is known to hold it. That does not make it safe."
      >
        {(body) => (
          <Table
            rows={body.devs}
            keyOf={(row) => row.wallet}
            columns={[
              {
                title: "Trader",
                cell: (row) => (
                  <span class="pair">
                    <TraderLink handle={row.handle} userId={row.userId} size={18} />
                    <span class={`chip ${row.isDev ? "amber" : ""}`}>
                      {row.isDev ? "deployer" : "insider"}
                    </span>
                  </span>
                ),
              },
              { title: "Worth", class: "right num", cell: (row) => usd(row.valueUsd) },
              {
                title: "PnL",
                class: "right",
                cell: (row) => <ProvedGain usd={netUsd(row)} quiet proof={tradeProof(row.tradeId)} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}

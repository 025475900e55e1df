/** @jsxImportSource preact */
// The column next to a token's chart: how it flows, who holds it, who made it.
import type { DevsAnswer, HoldersAnswer, TokenStatsAnswer } from "../../client/src/generated.ts";
import { Card, Gain, TraderLink } from "../shared/bits.tsx";
import { count, counted, netUsd, share, usd } from "../shared/format.ts";
import { useAnswer } from "../shared/query.tsx";
import { SplitBar } from "../shared/sparkline.tsx";
import { Loaded } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
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
                { title: "Amount", class: "right num", cell: (row) => count(row.amount) },
                { title: "Worth", class: "right num", cell: (row) => usd(row.valueUsd) },
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

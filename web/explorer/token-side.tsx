/** @jsxImportSource preact */
// What stands beside a token's chart: how it flows, who holds it, who made it.
import { Card, Gain, TraderLink } from "../shared/bits.tsx";
import { count, usd } from "../shared/format.ts";
import { useAnswer } from "../shared/query.tsx";
import { SplitBar } from "../shared/sparkline.tsx";
import { Loaded } from "../shared/states.tsx";
import type { DevsAnswer, HoldersAnswer, StatsAnswer } from "./answers.ts";

export function Flow({ path }: { path: string }) {
  const answer = useAnswer<StatsAnswer>(path, { everyMs: 30_000 });
  return (
    <Card
      title="Flow"
      aside={
        answer.body?.top10HoldersPercent == null ? undefined : (
          <span class="soft">top ten hold {Math.round(answer.body.top10HoldersPercent)}%</span>
        )
      }
    >
      <Loaded answer={answer} rows={4}>
        {(body) => (
          <table class="list flow">
            <thead>
              <tr>
                <th scope="col">Window</th>
                <th scope="col" class="right">
                  Bought
                </th>
                <th scope="col" class="bar">
                  <span class="off-screen">Bought against sold</span>
                </th>
                <th scope="col" class="right">
                  Sold
                </th>
                <th scope="col" class="right">
                  Net
                </th>
              </tr>
            </thead>
            <tbody>
              {(["5m", "1h", "4h", "24h"] as const).map((window) => {
                const flow = body.windows[window];
                return (
                  <tr key={window}>
                    <th scope="row" class="num">
                      {window}
                    </th>
                    <td class="right num" title={`${flow.buys} buys by ${flow.uniqueBuyers}`}>
                      {usd(flow.buyVolumeUsd)}
                    </td>
                    <td class="bar">
                      <SplitBar
                        left={flow.buyVolumeUsd}
                        right={flow.sellVolumeUsd}
                        label={`${window}: ${flow.buys} buys, ${flow.sells} sells`}
                      />
                    </td>
                    <td class="right num" title={`${flow.sells} sells by ${flow.uniqueSellers}`}>
                      {usd(flow.sellVolumeUsd)}
                    </td>
                    <td class="right">
                      <Gain usd={flow.netVolumeUsd} quiet />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
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
            <table class="list">
              <thead>
                <tr>
                  <th scope="col">Trader</th>
                  <th scope="col" class="right">
                    Amount
                  </th>
                  <th scope="col" class="right">
                    Worth
                  </th>
                </tr>
              </thead>
              <tbody>
                {body.holders.map((row) => (
                  <tr key={row.userId} data-row>
                    <td>
                      <TraderLink handle={row.handle} size={18} />
                    </td>
                    <td class="right num">{count(row.amount)}</td>
                    <td class="right num">{usd(row.valueUsd)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
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
          <table class="list">
            <thead>
              <tr>
                <th scope="col">Trader</th>
                <th scope="col" class="right">
                  Worth
                </th>
                <th scope="col" class="right">
                  PnL
                </th>
              </tr>
            </thead>
            <tbody>
              {body.devs.map((row) => (
                <tr key={row.wallet} data-row>
                  <td>
                    <span class="pair">
                      <TraderLink handle={row.handle} size={18} />
                      <span class={`chip ${row.isDev ? "amber" : ""}`}>
                        {row.isDev ? "deployer" : "insider"}
                      </span>
                    </span>
                  </td>
                  <td class="right num">{usd(row.valueUsd)}</td>
                  <td class="right">
                    <Gain usd={(row.realizedPnlUsd ?? 0) + (row.unrealizedPnlUsd ?? 0)} quiet />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </Card>
  );
}

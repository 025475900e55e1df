/** @jsxImportSource preact */
// A trader's positions and fills as tables that go on by their cursors.
import { useState } from "preact/hooks";
import { call, failureOf } from "../shared/api.ts";
import { Ago, ChainTag, Gain, Scroll, SideTag, TokenLink } from "../shared/bits.tsx";
import { count, day, price, span, usd } from "../shared/format.ts";
import { useAnswer, usePage } from "../shared/query.tsx";
import { Loaded } from "../shared/states.tsx";
import { type Position, type PositionsAnswer, pathOf, type SwapsAnswer } from "./answers.ts";

const PAGE_ROWS = 15;

export const positionsPath = (handle: string, status: "open" | "closed") =>
  pathOf(`/v2/users/${encodeURIComponent(handle)}/positions`, {
    ...{ status, limit: PAGE_ROWS, sort: status === "open" ? "size" : "recent" },
  });

/** Rows of further pages, fetched one after the other. */
function useMore<Row>(first: string, rowsOf: (body: never) => { rows: Row[]; next: string | null }) {
  const page = usePage();
  const [more, setMore] = useState<{ rows: Row[]; next: string | null } | null>(null);
  const [isLoading, setLoading] = useState(false);
  const load = async (cursor: string) => {
    setLoading(true);
    const loaded = await call(
      `${first}${first.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`,
      page.mode,
      page.mode === "open" ? { key: null } : {},
    );
    setLoading(false);
    if (failureOf(loaded)) return;
    const next = rowsOf(loaded.body as never);
    setMore((before) => ({ rows: [...(before?.rows ?? []), ...next.rows], next: next.next }));
  };
  return { more, isLoading, load };
}

export function Positions({ handle, status }: { handle: string; status: "open" | "closed" }) {
  const path = positionsPath(handle, status);
  const answer = useAnswer<PositionsAnswer>(path);
  const { more, isLoading, load } = useMore<Position>(path, (body: PositionsAnswer) => ({
    rows: body.positions,
    next: body.nextCursor,
  }));
  return (
    <Loaded
      answer={answer}
      rows={5}
      isEmpty={(body) => body.positions.length === 0}
      empty={status === "open" ? "Nothing is open." : "Nothing was closed yet."}
    >
      {(body) => {
        const next = more ? more.next : body.nextCursor;
        return (
          <>
            <Scroll label={`${status} positions`}>
              <table class="list">
                <thead>
                  <tr>
                    <th scope="col">Token</th>
                    <th scope="col" class="right">
                      Entry
                    </th>
                    <th scope="col" class="right">
                      {status === "open" ? "Now" : "Exit"}
                    </th>
                    <th scope="col" class="right">
                      {status === "open" ? "Worth" : "Cost"}
                    </th>
                    <th scope="col" class="right">
                      PnL
                    </th>
                    <th scope="col" class="right">
                      Held
                    </th>
                    <th scope="col" class="right">
                      {status === "open" ? "Since" : "Closed"}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {[...body.positions, ...(more?.rows ?? [])].map((row) => (
                    <PositionRow key={row.tradeId} row={row} />
                  ))}
                </tbody>
              </table>
            </Scroll>
            {next === null ? null : (
              <button type="button" class="plain small more" disabled={isLoading} onClick={() => load(next)}>
                {isLoading ? "Loading…" : "Show more"}
              </button>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function PositionRow({ row }: { row: Position }) {
  const page = usePage();
  const opened = Date.parse(row.createdAt);
  const ended = row.closedAt === null ? null : Date.parse(row.closedAt);
  const isOpen = row.status === "open";
  return (
    <tr data-row>
      <td>
        <span class="pair">
          <TokenLink
            symbol={row.token.symbol}
            address={row.token.address}
            networkId={row.chainId}
            image={row.token.image}
          />
          <ChainTag chain={row.chain} />
        </span>
      </td>
      <td class="right num">
        {row.avgEntryPrice === null ? <span class="soft">received</span> : price(row.avgEntryPrice)}
      </td>
      <td class="right num">{price(isOpen ? row.priceUsd : row.avgExitPrice)}</td>
      <td class="right num">
        {usd(isOpen ? (row.priceUsd === null ? null : row.amount * row.priceUsd) : row.costBasisUsd)}
      </td>
      <td class="right">
        <Gain usd={(row.realizedPnlUsd ?? 0) + (row.unrealizedPnlUsd ?? 0)} />
      </td>
      <td class="right num soft">{span((ended ?? page.renderedAt) - opened)}</td>
      <td class="right">
        {ended === null ? <span class="num soft">{day(opened)}</span> : <Ago at={ended} />}
      </td>
    </tr>
  );
}

export function Fills({ handle }: { handle: string }) {
  const path = pathOf(`/v2/users/${encodeURIComponent(handle)}/swaps`, { limit: 25 });
  const answer = useAnswer<SwapsAnswer>(path);
  const { more, isLoading, load } = useMore<SwapsAnswer["swaps"][number]>(path, (body: SwapsAnswer) => ({
    rows: body.swaps,
    next: body.nextCursor,
  }));
  return (
    <Loaded answer={answer} rows={5} isEmpty={(body) => body.swaps.length === 0} empty="No fills.">
      {(body) => {
        const next = more ? more.next : body.nextCursor;
        return (
          <>
            <Scroll label="Fills">
              <table class="list">
                <thead>
                  <tr>
                    <th scope="col">When</th>
                    <th scope="col">Side</th>
                    <th scope="col">Token</th>
                    <th scope="col" class="right">
                      Amount
                    </th>
                    <th scope="col" class="right">
                      Price
                    </th>
                    <th scope="col" class="right">
                      Worth
                    </th>
                    <th scope="col" class="right">
                      Fee
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {[...body.swaps, ...(more?.rows ?? [])].map((row) => {
                    const traded = row.side === "buy" ? row.tokenOut : row.tokenIn;
                    return (
                      <tr key={row.swapId} data-row>
                        <td>
                          <span class="num soft">{day(Date.parse(row.at), true)}</span>
                        </td>
                        <td>
                          <SideTag side={row.side} />
                        </td>
                        <td>
                          <span class="pair">
                            <TokenLink
                              symbol={traded.symbol}
                              address={traded.address}
                              networkId={row.chainId}
                              size={16}
                            />
                            <ChainTag chain={row.chain} />
                          </span>
                        </td>
                        <td class="right num">{count(traded.amount)}</td>
                        <td class="right num">{price(row.priceUsd)}</td>
                        <td class="right num">{usd(traded.usd)}</td>
                        <td class="right num soft">{usd(row.feeUsd)}</td>
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </Scroll>
            {next === null ? null : (
              <button type="button" class="plain small more" disabled={isLoading} onClick={() => load(next)}>
                {isLoading ? "Loading…" : "Show more"}
              </button>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
